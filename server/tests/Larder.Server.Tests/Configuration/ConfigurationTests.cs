using System.Net;
using Larder.Server.Configuration;
using Microsoft.Extensions.Logging;

namespace Larder.Server.Tests.Configuration;

/// <summary>The settings of <c>larder serve</c> from a file and from environment variables.</summary>
public sealed class ConfigurationTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("larder-configuration").FullName;
    private readonly Dictionary<string, string> _environment = [];

    private string FilePath => Path.Combine(_folder, "larder.toml");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Every_kind_of_value_can_be_set_in_the_file()
    {
        ServerOptions options = await Served(
            """
            # a comment
            port = 9000
            memory = "64m"
            max-ttl = '2h'   # another
            "default-cache" = "orders \u00e4"
            console-name = ["a.example", "b.example"]
            fault-injection = true
            log-level = "warning"
            host = "localhost"
            """);
        Assert.Equal((9000, 64L << 20, TimeSpan.FromHours(2)), (options.Port, options.MemoryBytes, options.MaxTtl));
        Assert.Equal(("orders ä", true, LogLevel.Warning, IPAddress.Loopback), (options.DefaultCache, options.FaultInjection, options.LogLevel, options.Host));
        Assert.Equal(["a.example", "b.example"], options.ConsoleNames);
        Assert.Equal(9001, options.ConsolePort);
    }

    [Fact]
    public async Task Number_of_bytes_and_single_name_need_no_quotes_and_list()
    {
        ServerOptions options = await Served("memory = 67108864\nconsole-name = \"a.example\"");
        Assert.Equal(64L << 20, options.MemoryBytes);
        Assert.Equal(["a.example"], options.ConsoleNames);
    }

    [Fact]
    public async Task Command_line_has_priority_over_the_environment_which_has_priority_over_the_file()
    {
        _environment["LARDER_SERVE_PORT"] = "2";
        _environment["LARDER_SERVE_MAX_TTL"] = "2h";
        ServerOptions options = await Served("port = 1\nmax-ttl = \"1h\"\nmemory = \"64m\"", "--port", "3");
        Assert.Equal((3, TimeSpan.FromHours(2), 64L << 20), (options.Port, options.MaxTtl, options.MemoryBytes));
    }

    [Fact]
    public async Task Paths_are_relative_to_the_folder_of_the_file()
    {
        ServerOptions options = await Served("snapshot = \"a/cache\"\ntokens = \"/etc/tokens\"\nstore = \"memory\"");
        Assert.Equal((Path.Combine(_folder, "a", "cache"), "/etc/tokens"), (options.SnapshotPath, options.TokensPath));
    }

    [Fact]
    public async Task Values_that_look_like_options_or_files_of_arguments_are_texts()
    {
        _environment["LARDER_SERVE_ADVERTISE"] = "a.example";
        Assert.Equal("--port", (await Served("default-cache = \"--port\"")).DefaultCache);
        Assert.Equal("@x=1", (await Served("default-cache = \"@x=1\"")).DefaultCache);
        Assert.Equal("--x", (await Served("port = 1", "--default-cache=--x")).DefaultCache);
    }

    [Fact]
    public async Task Path_of_the_file_can_be_an_environment_variable()
    {
        await File.WriteAllTextAsync(FilePath, "port = 9000");
        _environment["LARDER_SERVE_CONFIG"] = FilePath;
        Assert.Equal(9000, (await Served(file: null)).Port);
    }

    [Theory]
    [InlineData("LARDER_TOKEN")]
    [InlineData("LARDER_SERVE_TOKEN")]
    public async Task Token_can_be_an_environment_variable_that_must_not_be_empty(string variable)
    {
        _environment[variable] = "secret";
        Assert.Equal("secret", (await Served(file: null)).Token);
        _environment[variable] = "";
        Assert.Equal("the token is empty; to require no token, omit --token and LARDER_TOKEN", await Refused(file: null));
    }

    [Fact]
    public async Task Empty_variables_count_as_unset_and_lists_are_separated_by_commas()
    {
        _environment["LARDER_STORE"] = "";
        _environment["LARDER_SERVE_MEMORY"] = "";
        _environment["LARDER_SERVE_CONSOLE_NAME"] = "a.example, b.example";
        ServerOptions options = await Served("memory = \"64m\"");
        Assert.Equal(("memory", 64L << 20), (options.Store, options.MemoryBytes));
        Assert.Equal(["a.example", "b.example"], options.ConsoleNames);
    }

    [Theory]
    [InlineData("memory = 4g", "1: not valid TOML at column 11")]
    [InlineData("port = 1\n\nmemory", "3: not valid TOML")]
    [InlineData("port = \"x", "1: not valid TOML")]
    [InlineData("colour = 1", "1: unknown key 'colour'; the keys are the options")]
    [InlineData("max_ttl = \"1h\"", "1: unknown key 'max_ttl'; write max-ttl")]
    [InlineData("--port = 1", "1: unknown key '--port'; write port")]
    [InlineData("a.b = 1", "1: unknown key 'a.b'")]
    [InlineData("\n[server]\nport = 1", "2: tables such as [server] are not supported")]
    [InlineData("config = \"x\"", "1: unknown key 'config'")]
    [InlineData("print-config = true", "1: unknown key 'print-config'")]
    [InlineData("port = 1\nport = 2", "2: 'port' is set a second time")]
    [InlineData("port = \"x\"", "1: --port must be a whole number, but is 'x'")]
    [InlineData("port = 1.5", "1: 'port' must be a string in quotes, a whole number, true or false")]
    [InlineData("port = [1]", "1: 'port' must be a string in quotes, a whole number, true or false")]
    [InlineData("port = { a = 1 }", "1: 'port' must be a string in quotes, a whole number, true or false")]
    [InlineData("console-name = [[\"a\"]]", "1: 'console-name' must be a string in quotes, or a list of strings")]
    [InlineData("port = 70000", "1: --port must be 0 to 65535, but is 70000")]
    [InlineData("snapshot = \"\"", "1: --snapshot is empty")]
    [InlineData("allow-anyone = \"perhaps\"", "1: ")]
    public async Task Error_names_the_line(string text, string expected) =>
        Assert.StartsWith($"{FilePath}:{expected}", await Refused(text), StringComparison.Ordinal);

    [Fact]
    public async Task Token_in_the_file_is_refused_and_not_shown()
    {
        string error = await Refused("token = \"hunter2\"");
        Assert.StartsWith($"{FilePath}:1: the token cannot be set in this file", error, StringComparison.Ordinal);
        Assert.DoesNotContain("hunter2", error + await Refused("token = hunter2") + await Refused("store = \"a\"\nstore = \"redis://:hunter2@h\""));
    }

    [Fact]
    public async Task Unreadable_files_are_refused()
    {
        Assert.Equal($"--config {FilePath} cannot be read: Could not find file '{FilePath}'.", await Refused(file: null, "--config", FilePath));
        Assert.StartsWith($"--config {_folder} cannot be read", await Refused(file: null, "--config", _folder), StringComparison.Ordinal);
        await File.WriteAllBytesAsync(FilePath, [0xFF, 0xFE, 0x00]);
        Assert.Equal($"--config {FilePath} is not a text file in UTF-8", await Refused(file: null, "--config", FilePath));
        await File.WriteAllTextAsync(FilePath, "#" + new string('x', 1 << 20));
        Assert.Equal($"--config {FilePath} is larger than 1 MiB", await Refused(file: null, "--config", FilePath));
        await File.WriteAllTextAsync(FilePath, "#" + new string('x', (1 << 20) - 1));
        Assert.Equal(8080, (await Served(file: null, "--config", FilePath)).Port);
        await File.WriteAllBytesAsync(FilePath, [.. "\uFEFFport = 1"u8]);
        Assert.Equal(1, (await Served(file: null, "--config", FilePath)).Port);
    }

    [Fact]
    public async Task Variable_that_belongs_to_no_option_is_refused()
    {
        _environment["LARDER_SERVE_PRT"] = "1";
        Assert.Equal(
            "the environment variable LARDER_SERVE_PRT belongs to no option of 'larder serve'; correct its name, or remove it",
            await Refused(file: null));
        _environment.Remove("LARDER_SERVE_PRT");
        _environment["LARDER_SERVE_PORT"] = "x";
        Assert.Equal("LARDER_SERVE_PORT: --port must be a whole number, but is 'x'", await Refused(file: null));
        _environment["LARDER_SERVE_PORT"] = "70000";
        Assert.Equal("LARDER_SERVE_PORT: --port must be 0 to 65535, but is 70000", await Refused(file: null));
    }

    [Fact]
    public async Task Printed_configuration_is_a_valid_file_with_the_same_settings()
    {
        const string Text = "memory = \"64m\"\nconsole-name = [\"a.example\"]\ndefault-cache = \"a \\\"b\\\" \\\\ \\u0001\"\nallow-anyone = true\nport = 0";
        string first = await Printed(Text);
        string second = await Printed(first);
        Assert.Equal(WithoutSources(first), WithoutSources(second));
        Assert.Contains("default-cache = \"a \\\"b\\\" \\\\ \\u0001\"", second, StringComparison.Ordinal);

        static string WithoutSources(string text) => string.Join('\n', text.Split('\n').Select(static line => line.Split(" # ")[0].TrimEnd()));
    }

    [Fact]
    public async Task Printed_configuration_names_sources_and_hides_secrets()
    {
        _environment["LARDER_SERVE_MAX_TTL"] = "2h";
        _environment["LARDER_TOKEN"] = "hunter2";
        _environment["LARDER_STORE"] = "redis://user:hunter2@a.example:1,b.example";
        _environment["LARDER_CONSOLE_TOKEN"] = "hunter2";
        string text = await Printed("memory = \"64m\"", "--port", "9000");
        string[] lines = text.Split('\n');
        Assert.Equal(
            ["port = 9000|--port", "console-port = 9001|default", "memory = \"64m\"|larder.toml:1", "max-ttl = \"2h\"|LARDER_SERVE_MAX_TTL"],
            lines.Where(static line => line.Split(' ')[0] is "port" or "console-port" or "memory" or "max-ttl")
                .Select(line => string.Join('|', line.Replace(_folder + "/", "", StringComparison.Ordinal).Split('#', StringSplitOptions.TrimEntries))));
        Assert.Contains(lines, static line => line.StartsWith("# token = \"***\" ", StringComparison.Ordinal));
        Assert.Contains(lines, static line => line.StartsWith("# store = \"redis://user:***@a.example:1,b.example\" ", StringComparison.Ordinal));
        Assert.Contains(lines, static line => line.StartsWith("# console-token = \"***\" ", StringComparison.Ordinal));
        Assert.Contains("# tls-cert is not set", lines);
        Assert.DoesNotContain("hunter2", text);
    }

    [Theory]
    [InlineData("redis://host:1", "redis://host:1")]
    [InlineData("redis://user:pw@a:1,b:2", "redis://user:***@a:1,b:2")]
    [InlineData("redis://:pw@a", "redis://:***@a")]
    [InlineData("redis://pw@a", "redis://***@a")]
    [InlineData("redis://a:1?password=pw", "redis://a:1?***")]
    [InlineData("redis://user:p@w@a?x=1", "redis://user:***@a?***")]
    [InlineData("redis://a?password=p@w", "***")]
    [InlineData("user:pw@host", "***")]
    [InlineData("memory", "memory")]
    public void Secrets_in_addresses_are_hidden(string url, string shown) => Assert.Equal(shown, ConfigurationText.HideSecrets(url));

    [Fact]
    public async Task Check_accepts_what_a_server_could_start_with_and_refuses_the_rest()
    {
        Assert.Equal("# The configuration is valid.\n", await Output("port = 1", "--check-config"));
        Assert.EndsWith("\n# The configuration is valid.\n", await Output("port = 1", "--check-config", "--print-config"), StringComparison.Ordinal);
        Assert.Contains("--host 0.0.0.0 is reachable from other machines", await Refused("host = \"0.0.0.0\"", "--check-config"));
        Assert.Contains($"--token-file {_folder}/none cannot be read", await Refused("token-file = \"none\"", "--check-config"));
        Assert.Contains("the folder of --snapshot", await Refused("snapshot = \"none/a\"", "--check-config"));
        Assert.Contains("cannot read the certificate", await Refused("tls-cert = \"none\"\ntls-key = \"none\"", "--check-config"));
    }

    private async Task<ServerOptions> Served(string? file, params string[] arguments)
    {
        ServerOptions? served = null;
        (int code, _, string errors) = await Run(file, arguments, options => served = options);
        Assert.Equal((0, ""), (code, errors));
        return served!;
    }

    private async Task<string> Refused(string? file, params string[] arguments)
    {
        ServerOptions? served = null;
        (int code, string output, string errors) = await Run(file, arguments, options => served = options);
        Assert.Equal((2, "", null), (code, output, served));
        return errors["larder: ".Length..].TrimEnd('\n');
    }

    private Task<string> Printed(string file, params string[] arguments) => Output(file, [.. arguments, "--print-config"]);

    private async Task<string> Output(string? file, params string[] arguments)
    {
        ServerOptions? served = null;
        (int code, string output, string errors) = await Run(file, arguments, options => served = options);
        Assert.Equal((0, "", null), (code, errors, served));
        return output;
    }

    private async Task<(int Code, string Output, string Errors)> Run(string? file, string[] arguments, Action<ServerOptions> serve)
    {
        if (file is not null)
        {
            await File.WriteAllTextAsync(FilePath, file);
            arguments = ["--config", FilePath, .. arguments];
        }

        using StringWriter output = new() { NewLine = "\n" }, errors = new() { NewLine = "\n" };
        int code = await new ServeCommand(_environment, output, errors).RunAsync(arguments, (options, _) =>
        {
            serve(options);
            return Task.FromResult(0);
        });
        return (code, output.ToString(), errors.ToString());
    }
}
