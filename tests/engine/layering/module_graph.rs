//! The module graph of a crate, built from its sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, Macro, UseTree};

/// Maps each node to the nodes that it uses, each with the first file that uses it.
pub type Graph = BTreeMap<String, BTreeMap<String, String>>;

/// A module path, starting at the crate root.
type ModulePath = Vec<String>;

/// The modules of a crate, and the paths that each module uses.
pub struct ModuleGraph {
    modules: BTreeSet<ModulePath>,
    /// For each file: its name, its module, and every path that it uses, as an absolute path within the crate.
    named: Vec<(String, ModulePath, Vec<ModulePath>)>,
    /// For each module: the names that it re-exports from its children, with their paths.
    exports: BTreeMap<ModulePath, BTreeMap<String, ModulePath>>,
}

impl ModuleGraph {
    /// Builds the graph of the crate whose sources are in `source`.
    pub fn read(source: &Path) -> Self {
        let mut graph = Self { modules: BTreeSet::new(), named: Vec::new(), exports: BTreeMap::new() };
        graph.add_folder(source, source);
        assert!(!graph.named.is_empty(), "no sources in {}", source.display());
        graph
    }

    fn add_folder(&mut self, source: &Path, folder: &Path) {
        for entry in fs::read_dir(folder).expect("the sources can be listed") {
            let path = entry.expect("the sources can be listed").path();
            if path.is_dir() {
                self.add_folder(source, &path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                self.add_file(source, &path);
            }
        }
    }

    fn add_file(&mut self, source: &Path, path: &Path) {
        let inside = path.strip_prefix(source).expect("the file was found there").with_extension("");
        let mut module: ModulePath = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if module.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
            module.pop();
        }
        if module.iter().any(|part| part == "tests") {
            return;
        }
        let text = fs::read_to_string(path).expect("a source file is text");
        let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut names = Names { module: module.clone(), found: Vec::new() };
        names.visit_file(&file);
        let mut exports = BTreeMap::new();
        for item in &file.items {
            if let Item::Use(item) = item {
                let mut paths = Vec::new();
                flatten(&item.tree, &mut Vec::new(), &mut paths);
                for mut path in paths {
                    if path.first().is_some_and(|first| first == "self") {
                        path.remove(0);
                    }
                    if let Some(name) = path.last().cloned() {
                        exports.insert(name, module.iter().cloned().chain(path).collect());
                    }
                }
            }
        }
        self.modules.insert(module.clone());
        self.exports.insert(module.clone(), exports);
        self.named.push((inside.display().to_string(), module, names.found));
    }

    /// Returns all modules that have child modules.
    pub fn folders(&self) -> BTreeSet<ModulePath> {
        let parents = self.modules.iter().filter(|module| !module.is_empty());
        parents.map(|module| module[..module.len() - 1].to_vec()).collect()
    }

    /// Returns the module that `path` refers to, following re-exports.
    fn resolve(&self, path: &[String]) -> ModulePath {
        let mut module = ModulePath::new();
        for (depth, segment) in path.iter().enumerate() {
            let mut child = module.clone();
            child.push(segment.clone());
            if self.modules.contains(&child) {
                module = child;
                continue;
            }
            let export = self.exports.get(&module).and_then(|exports| exports.get(segment));
            return match export {
                Some(export) if *export != path[..=depth] => self.resolve(export),
                _ => module,
            };
        }
        module
    }

    /// Returns which child modules of `folder` use which other child modules.
    pub fn between(&self, folder: &[String]) -> Graph {
        let mut graph = Graph::new();
        for (file, module, paths) in &self.named {
            let Some(from) = module.strip_prefix(folder).and_then(|rest| rest.first()) else { continue };
            let named = graph.entry(from.clone()).or_default();
            for path in paths {
                let target = self.resolve(path);
                let to = target.strip_prefix(folder).and_then(|rest| rest.first());
                if let Some(to) = to.filter(|to| *to != from) {
                    named.entry(to.clone()).or_insert_with(|| file.clone());
                }
            }
        }
        graph
    }
}

/// Adds every path in a `use` tree to `paths`.
fn flatten(tree: &UseTree, prefix: &mut ModulePath, paths: &mut Vec<ModulePath>) {
    match tree {
        UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            flatten(&path.tree, prefix, paths);
            prefix.pop();
        }
        UseTree::Name(name) if name.ident == "self" => paths.push(prefix.clone()),
        UseTree::Name(name) => paths.push(prefix.iter().cloned().chain([name.ident.to_string()]).collect()),
        UseTree::Rename(name) => paths.push(prefix.iter().cloned().chain([name.ident.to_string()]).collect()),
        UseTree::Glob(_) => paths.push(prefix.clone()),
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, prefix, paths)),
    }
}

/// Collects the paths that a file uses. Modules that are compiled only for tests are skipped.
struct Names {
    module: ModulePath,
    found: Vec<ModulePath>,
}

impl Names {
    /// Adds `path` if it begins in this crate.
    fn add(&mut self, path: &[String]) {
        let mut base = match path.first().map(String::as_str) {
            Some("crate") => ModulePath::new(),
            Some("super") => self.module.clone(),
            _ => return,
        };
        let supers = path.iter().take_while(|segment| *segment == "super").count();
        base.truncate(base.len().saturating_sub(supers));
        self.found.push(base.into_iter().chain(path[supers.max(1)..].iter().cloned()).collect());
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    let is_test = |attribute: &Attribute| {
        let argument = attribute.meta.require_list().map(|list| list.tokens.to_string());
        attribute.path().is_ident("cfg") && argument.is_ok_and(|argument| argument == "test")
    };
    attributes.iter().any(is_test)
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_for_tests(&item.attrs) {
            self.module.push(item.ident.to_string());
            visit::visit_item_mod(self, item);
            self.module.pop();
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let mut paths = Vec::new();
        flatten(&item.tree, &mut Vec::new(), &mut paths);
        paths.iter().for_each(|path| self.add(path));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.add(&segments);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast Macro) {
        // The tokens of a macro are not a syntax tree, so paths are found by searching the text.
        let text = item.tokens.to_string().replace(' ', "");
        for start in ["crate::", "super::"] {
            for (at, _) in text.match_indices(start) {
                let path = text[at..].split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').next();
                let segments: Vec<_> = path.unwrap_or_default().split("::").map(str::to_owned).collect();
                self.add(&segments);
            }
        }
    }
}
