/// The lists of names, in lower case.
extension SensitiveNames {
    private static func list(_ names: String) -> [[UInt8]] {
        names.split(separator: " ").map { Array($0.utf8) }
    }

    static let rc = Array("rc".utf8)

    // MARK: - Secrets

    static let hidden = Set(
        list(
            """
            .git .claude .cdev .ssh .aws .azure .gcloud .kube .docker .gnupg .password-store .netrc .npmrc .pypirc \
            .git-credentials .pgpass .my.cnf .secrets .dockercfg .htpasswd .vault-token .s3cfg .boto .terraformrc \
            .terraform.d .pulumi .claude.json .dev.vars .flaskenv .secret .vault_pass .vault-pass .mylogin.cnf \
            .pg_service.conf .authinfo .databrickscfg .erlang.cookie .fetchmailrc .huggingface .msmtprc .oci .sentryclirc \
            .snowflake .age-key .dockerconfigjson .gitcookies .github_token .passwd .password .token .vaultpass .vault_password .vault_pass.txt .vault_pass.py .yarnrc.yml \
            .codex .gemini .grok .qwen
            """))
    static let names = Set(
        list(
            "kubeconfig kubeconfig.json kubeconfig.yaml kubeconfig.yml kube_config kube-config auth.json rclone.conf kaggle.json key.properties keystore.properties htpasswd deploy_key deploy-key ssh_key sshkey private_key private-key privkey token.json _netrc local.settings.json secret.json secret.toml secret.txt secret.yaml secret.yml secret.ini secret.properties key.json creds.json cookies.txt vault.yml vault.yaml mcp.json mcp_config.json oauth_creds.json opencode.json opencode.jsonc"
        ))
    static let prefixes = list(
        "id_rsa id_ed25519 id_ecdsa id_dsa secrets client_secret ssh_host_ .dev.vars .npmrc .netrc .pgpass .htpasswd htpasswd kubeconfig. kubeconfig- kubeconfig_ gha-creds-"
    )
    static let suffixes = list(
        "_history .env .pem .key .p12 .pfx .jks .keystore .kdbx .ppk .gpg .tfstate .tfvars .p8 .pk8 .keytab .kubeconfig .ovpn .tfvars.json .kdb .pkcs12 .bks .age _rsa _ed25519 _ecdsa -key.json -secret.json -service-account.json _service_account.json -kubeconfig .jceks"
    )
    /// Sensitive anywhere in a name.
    static let parts = list("credential .pem. .key. firebase-adminsdk")
    /// Sensitive at the start of a name that ends in `.json`.
    static let accounts = list("service-account service_account serviceaccount")
    /// The suffixes of copies. A copy of a sensitive file is sensitive, too.
    static let copySuffixes = list(".backup .bak .old .orig .save .swp .tmp .copy .1 ~")
    static let copyEnds = copySuffixes.compactMap(\.last)
    static let prefixStarts = (prefixes + names + accounts).compactMap(\.first)
    static let suffixEnds = suffixes.compactMap(\.last)
    static let homeBases: Set<String> = ["home", "homes", "Users"]

    // MARK: - Files that programs run by themselves

    static let runDirectories = Set(
        list(
            """
            .agents .augment .azure-pipelines .buildkite .builds .bundle .cargo .circleci .codex .config .continue .cursor \
            .devcontainer .direnv .drone .eggs .emacs.d .fleet .forgejo .gemini .gitea .githooks .gitlab .gitlab-ci .grok \
            .harness .husky .idea .ipython .junie .jupyter .kiro .moon .mvn .nox .nvim .opencode .roo .run .semaphore \
            .bzr .ci .claude-plugin .factory .goose .hg .jj .kilocode .mise .overcommit .qwen .sl .svn .tekton .terraform .trae \
            .warp .zuul.d magefiles \
            .settings .storybook .swiftpm .teamcity .tox .venv .vim .vs .vscode .windsurf .woodpecker .yarn .zed \
            .agent .aiassistant .amazonq .externaltoolbuilders .helix .lapce .openhands \
            __pycache__ buildsrc ci_scripts dist-packages eslint-local-rules fastlane node_modules site_scons site-packages \
            venv
            """))
    /// Python modules that run by themselves, as directories.
    static let moduleDirectories = Set(list("conftest fabfile noxfile sitecustomize usercustomize"))
    /// Pairs of adjacent components.
    static let runPairs = Set(
        list(
            """
            .github/actions .github/agents .github/chatmodes .github/hooks .github/instructions .github/prompts \
            .github/plugin .github/dependabot.yml .github/dependabot.yaml .github/lsp.json .github/mcp.json .github/settings.yml \
            .github/settings.yaml .github/skills .github/workflows .github/copilot-instructions.md bin/activate \
            bin/activate.csh bin/activate.fish bin/activate.ps1 bin/activate_this.py env/bin env/scripts env/lib \
            vendor/modules.txt vendor/autoload.php tasks/__init__.py \
            conf.d/config.fish deps/build.jl mise/config.toml mise/conf.d renv/activate.r tests/bootstrap.php tests/pest.php tools/bazel \
            hook/build.dart hook/link.dart hooks/hooks.json tool/grind.dart pkg/pkg.ml kobalt/src
            """))
    /// Directories whose sources a build compiles for itself and runs, and their suffixes: all of sbt's `project/`, of
    /// mill's `mill-build/`, SwiftPM's `Plugins/` and Tuist's helpers, the plugins of Jekyll.
    static let buildDirectories: [(name: [UInt8], suffixes: [[UInt8]])] = [
        ("project", ".java .scala"), ("mill-build", ".java .scala .sc"), ("plugins", ".swift"), ("tuist", ".swift"),
        ("_plugins", ".rb"),
    ].map { (Array($0.0.utf8), list($0.1)) }
    /// Names that a program looks for with any suffix of a settings file or script: `codegen.ts`, `nano-staged.cjs`.
    static let runStems = Set(
        list(
            """
            brunch-config captainhook codegen config-overrides cucumber dangerfile dart_test electron-builder ember-cli-build eslint-local-rules \
            git_hooks grumphp jest-preset knexfile nano-staged ormconfig plopfile testem truffle truffle-config typedoc vercel wallaby \
            wrangler
            """))
    static let scriptSuffixes = Set(list("cjs cts js json json5 jsonc mjs mts toml ts yaml yml"))
    /// What may stand between such a name, or that of a settings file, and the suffix: `grumphp.dist.yml`.
    static let variants = Set(list("context dist local override"))
    /// The suffixes of settings files. A program that reads one of them under a name often reads another.
    static let dataSuffixes = Set(list("json json5 jsonc toml yaml yml"))
    /// The names in `runNames` that have such a suffix, without it.
    static let dataStems = Set(
        runNames.compactMap { name -> [UInt8]? in
            guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return nil }
            return dataSuffixes.contains(Array(name[(dot + 1)...])) ? Array(name[..<dot]) : nil
        })
    static let runPrefixes = list(
        """
        .bash .zsh .zlog .zprofile .profile .aider .clinerules .cursorrules .windsurfrules .golangci. .goreleaser .gitlab-ci \
        .hadolint .lefthook .markdownlint .php-cs-fixer .php_cs .phpcs .pnp. .pnpmfile .pre-commit .rspec .rubocop \
        .ruff .swiftlint .yamllint .yarnrc agents. appveyor azure-pipelines bitbucket-pipelines brewfile build.gradle \
        build.mill build.zig cargo.toml claude. cloudbuild. compose. constraints containerfile docker-bake docker-compose \
        dockerfile directory.build. directory.packages. eslint. gatsby- gemfile gemini. gradle. gradlew gruntfile \
        gulpfile jenkinsfile jest. jsconfig justfile karma. knip lefthook makefile. meson mocha. mvnw nx. \
        package@swift- phpcs phpstan phpunit. playwright. pnpm- postcss. prettier. procfile psalm. rakefile renovate \
        requirements rollup. serverless. settings.gradle stylelint. tailwind. taskfile tsconfig turbo. vite. vitest. \
        webpack. workspace .mise. mise. cabal.project spec_helper. rails_helper. \
        test_helper. .readthedocs. .zuul. .simple-git-hooks simple-git-hooks .roomodes .roorules .goosehints .prow. \
        .nano-staged goreleaser. buf.gen. pulumi. helmfile. podman-compose.
        """)
    static let runSuffixes = list(
        """
        .bzl .cabal .cmake .code-workspace .csproj .dockerfile .fsproj .gemspec .gradle .gradle.kts .just .lock .mk \
        .mod .ninja .nimble .opam .pbxproj .podspec .proj .props .pth .rake .rockspec .rsp .ruleset .runsettings .sbt \
        .sln .slnx .sublime-project .targets .thor .vbproj .vcxproj .xcconfig .xcscheme -lock.json -lock.yaml \
        .bazelrc .gyp .gypi .mak .make .projitems .shproj .slnf .esproj .sqlproj .wixproj .csproj.user .fsproj.user .vbproj.user .vcxproj.user -gdb.py .nix .service .desktop .dockerignore \
        .containerignore .nims .mill .smk .suite.yml .suite.dist.yml
        """)
    static let runNames = Set(
        list(
            """
            makefile gnumakefile bsdmakefile .justfile justfile build.ninja cmakelists.txt cmakepresets.json \
            cmakeuserpresets.json ctestconfig.cmake configure configure.ac configure.in autogen.sh sconstruct sconscript \
            wscript tiltfile earthfile vagrantfile dagger.json skaffold.yaml build build.bazel buck workspace module.bazel \
            .bazelversion .buckconfig pants.toml \
            package.json package.json5 package.yaml package-lock.json npm-shrinkwrap.json bun.lockb bunfig.toml \
            deno.json deno.jsonc import_map.json \
            lerna.json rush.json angular.json project.json nest-cli.json nodemon.json babel.config.json biome.json \
            biome.jsonc tslint.json cypress.json codegen.yml ember-cli-build.js plopfile.js .eleventy.js electron-builder.yml \
            moon.yml .nvmrc .node-version \
            conftest.py setup.py setup.cfg pyproject.toml pytest.ini .pytest.ini tox.ini noxfile.py mypy.ini .mypy.ini \
            .flake8 .isort.cfg .style.yapf .bandit .coveragerc uv.toml ruff.toml poetry.toml pdm.toml hatch.toml pixi.toml \
            pipfile environment.yml environment.yaml manifest.in tasks.py fabfile.py dodo.py pyrightconfig.json pyvenv.cfg \
            sitecustomize.py usercustomize.py .python-version .python-versions cmakecache.txt shellcheckrc tslint.yaml tslint.yml \
            .editorconfig eslint-local-rules.js ctestcustom.ctest .pythonstartup .pyre_configuration ansible.cfg \
            build.rs rust-toolchain rust-toolchain.toml clippy.toml .clippy.toml rustfmt.toml .rustfmt.toml deny.toml \
            cross.toml nextest.toml \
            package.swift package.resolved .swift-format .swiftformat .swift-version podfile cartfile project.yml \
            go.mod go.sum go.work go.work.sum magefile.go .air.toml staticcheck.conf .go-version \
            pom.xml build.xml ivy.xml settings.xml build.sc build.mill build.properties gradle-wrapper.properties \
            gradle-wrapper.jar gradle-daemon-jvm.properties libs.versions.toml .scalafmt.conf .scalafix.conf .jvmopts .sbtopts .java-version .sdkmanrc \
            lombok.config deps.edn project.clj shadow-cljs.edn bb.edn build.boot build.cake \
            nuget.config global.json packages.config packages.lock.json dotnet-tools.json launchsettings.json \
            xunit.runner.json paket.dependencies \
            composer.json .user.ini php.ini artisan pint.json rector.php \
            gems.rb gems.locked guardfile capfile fastfile dangerfile appraisals thorfile .ruby-version .simplecov .irbrc .pryrc \
            mix.exs .formatter.exs .credo.exs .iex.exs .erlang rebar.config rebar.config.script erlang.mk config.exs \
            runtime.exs dev.exs test.exs prod.exs \
            pubspec.yaml analysis_options.yaml build.yaml melos.yaml stack.yaml cabal.project package.yaml setup.hs \
            hie.yaml .ghci .ocamlinit dune dune-project dune-workspace flake.nix default.nix shell.nix guix.scm shard.yml \
            elm.json makefile.pl build.pl cpanfile .busted .luacheckrc .rprofile .renviron .octaverc \
            .travis.yml circle.yml .drone.yml .woodpecker.yml .cirrus.yml .appveyor.yml .build.yml .gitpod.yml buildspec.yml \
            wercker.yml codemagic.yaml bitrise.yml netlify.toml vercel.json fly.toml render.yaml action.yml action.yaml \
            .gitattributes .gitmodules .gitconfig .gitignore .ignore .rgignore .lfsconfig .mcp.json opencode.json \
            claude.md agents.md gemini.md copilot-instructions.md bugbot.md codebuddy.md iflow.md tabnine.md \
            .tool-versions mise.toml .mise.toml .prototools aqua.yaml .aqua.yaml .terraform-version terragrunt.hcl \
            jupyter_config.py jupyter_lab_config.py jupyter_nbconvert_config.py ipython_config.py mutmut_config.py \
            lighthouserc.js brocfile.js medusa-config.js behat.yml phpspec.yml _config.yml sgconfig.yml gqlgen.yml esy.json \
            compile_commands.json mergify.yml \
            .login .logout .inputrc config.fish .xprofile .xinitrc .tmux.conf .exrc .nvim.lua .emacs .spacemacs \
            .dir-locals.el .gdbinit .lldbinit .psqlrc .sqliterc .devcontainer.json .proverc \
            init.lua init.vim init.el startup.jl .replit .rules agent.md qwen.md crush.md warp.md crush.json \
            .crush.json opencode.jsonc mcp.json mcp.jsonc .gitlint .gitreview prek.toml hk.pkl make.inc makevars kbuild .perl-version .php-version .lua-version .dvmrc \
            applypatch-msg commit-msg fsmonitor-watchman post-applypatch post-checkout post-commit post-merge post-rewrite \
            pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push pre-rebase prepare-commit-msg push-to-checkout \
            reference-transaction sendemail-validate \
            pytest.toml .pytest.toml ty.toml pylintrc .pdm-python pdm_build.py hatch_build.py behave.ini unittest.cfg \
            nose2.cfg gunicorn.conf.py jupyter_server_config.py jupyter_notebook_config.py pelicanconf.py locustfile.py celeryconfig.py \
            tupfile jamfile jamroot xmake.lua premake5.lua conanfile.py meson_options.txt berksfile robofile.php castor.php \
            deploy.php codeception.yml grumphp.yml captainhook.json truffle-config.js foundry.toml testem.js jakefile \
            jest-preset.js config-overrides.js node.config.json dylint.toml devbox.json devenv.yaml \
            cdk.json pulumi.yaml helmfile.yaml samconfig.toml firebase.json wrangler.toml amplify.yml railway.json \
            railway.toml nixpacks.toml .dir-locals-2.el .autoenv.zsh .autoenv jakefile.js dangerfile.ts snakefile cakefile \
            config.ru heroku.yml codefresh.yml .cirrus.star .packit.yaml .scrutinizer.yml user.clj \
            data_readers.clj data_readers.cljc build.clj project.scala predef.sc project.swift workspace.swift \
            tuist.swift beak.swift setup.lhs setup.ml myocamlbuild.ml nakefile.nim build.vsh tox.toml conf.py \
            pylintrc.toml dbt_project.yml dvc.yaml _quarto.yml _targets.r _targets.yaml release.toml \
            dist-workspace.toml bacon.toml dioxus.toml anchor.toml devfile.yaml okteto.yml garden.yml cdktf.json \
            robo.yml scoper.inc.php monorepo-builder.php kahlan-config.php phinx.php i18n-tasks.yml module.yaml \
            nightwatch.json dprint.json config.ld duties.py hk.local.pkl git_hooks.dart dangerfile.kts \
            dangerfile.swift toxfile.py pavement.py ecs.php invoke.yaml spin.toml trunk.toml cog.toml buf.yaml dub.json \
            dub.sdl bsconfig.json rescript.json infection.json openapitools.json mkdocs.yml mprocs.yaml sqlc.yaml \
            treefmt.toml werf.yaml process-compose.yaml cdk.context.json overcommit.yml codeception.dist.yml \
            poe_tasks.json poe_tasks.yaml anaconda-project.yml conda-project.yml wails.json eas.json atlantis.yaml
            """))
    /// The component before the suffix: `jest.config.js`, `karma.conf.js`, `vitest.setup.ts`.
    static let configurations = Set(list("conf config preset setup workspace"))
    static let codeSuffixes = Set(list("js cjs mjs jsx ts cts mts tsx json jsonc json5 yaml yml toml coffee exs rb py"))
}
