using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Cli;

/// <summary>Tests behaviour that the commands of all collection types have in common.</summary>
public sealed class CollectionCommandTests
{
    [Fact]
    public async Task Collection_commands_report_missing_keys_as_not_found()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        await client.Cache("cache").DictionarySetFieldAsync("d", "f", "v");
        await client.Cache("cache").SetAddElementAsync("s", "e");
        await client.Cache("cache").SortedSetPutElementAsync("z", "e", 1);
        string[] commands =
        [
            "dict get none f", "dict get d none", "dict get d none none --json", "dict all none", "dict length none",
            "sets has none e", "sets has s none", "sets all none", "sets sample none", "sets pop none", "sets length none",
            "list pop none", "list pop none --back", "list all none", "list length none",
            "zset all none", "zset all none --min 1", "zset score none e", "zset score z none", "zset rank none e", "zset rank z none", "zset length none",
        ];
        foreach (string command in commands)
        {
            CliRun run = await CliProgram.RunAsync($"http://127.0.0.1:{server.Port}", command.Split(' '));
            Assert.Equal((command, 3, "", "not found\n"), (command, run.Code, run.Text, run.Error));
        }
    }

    [Fact]
    public async Task Collection_commands_reject_keys_of_another_type()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        await client.Cache("cache").SetAsync("k", "v");
        string[] commands =
        [
            "dict get k f", "dict set k f v", "dict all k", "dict increment k f", "dict remove k f", "dict length k",
            "sets add k e", "sets remove k e", "sets has k e", "sets all k", "sets sample k", "sets pop k", "sets length k",
            "list push k v", "list push k v --front", "list pop k", "list pop k --back", "list all k", "list remove k v", "list length k",
            "zset put k 1 e", "zset all k", "zset all k --max 1", "zset score k e", "zset rank k e", "zset increment k e", "zset remove k e", "zset length k",
        ];
        foreach (string command in commands)
        {
            CliRun run = await CliProgram.RunAsync($"http://127.0.0.1:{server.Port}", command.Split(' '));
            Assert.Equal((command, 1, ""), (command, run.Code, run.Text));
            Assert.StartsWith("FailedPrecondition: ", run.Error, StringComparison.Ordinal);
        }

        Assert.Equal("v", Expect.Hit(await client.Cache("cache").GetAsync("k")).Text);
        await client.Cache("cache").ListPushBackAsync("l", "v");
        CliRun get = await CliProgram.RunAsync($"http://127.0.0.1:{server.Port}", ["get", "l"]);
        Assert.Equal((1, ""), (get.Code, get.Text));
    }

    [Theory]
    [InlineData("each field must be followed by its value", "dict", "set", "d", "f")]
    [InlineData("Run 'larder dict set --help' for help", "dict", "set", "d", "f", "v", "g")]
    [InlineData("only one argument may be - (standard input)", "dict", "set", "d", "-", "-")]
    [InlineData("unknown option '--field'", "dict", "get", "d", "--field", "f")]
    [InlineData("unknown option '-x'", "list", "push", "l", "-x")]
    [InlineData("unknown option '--raw'", "sets", "length", "s", "--raw")]
    [InlineData("--raw, --hex and --json cannot be combined", "sets", "all", "s", "--raw", "--json")]
    [InlineData("'larder dict --help'", "dict")]
    [InlineData("'larder zset --help'", "zset", "none")]
    [InlineData("name must be hexadecimal, two digits per byte, but is 'xyz'", "dict", "all", "xyz", "--hex-key")]
    [InlineData("field must be hexadecimal, two digits per byte, but is 'x'", "dict", "get", "d", "x", "--hex-elements")]
    [InlineData("InvalidArgument", "dict", "get", "d", "")]
    [InlineData("InvalidArgument", "sets", "all", "")]
    [InlineData("amount must be a whole number, but is '9223372036854775808'", "dict", "increment", "d", "f", "9223372036854775808")]
    [InlineData("amount must be a whole number, but is '-1e3'", "dict", "increment", "d", "f", "-1e3")]
    [InlineData("seconds, but is '0'", "list", "push", "l", "v", "--ttl", "0")]
    [InlineData("seconds, but is 'NaN'", "sets", "add", "s", "e", "--ttl", "NaN")]
    [InlineData("count must be a whole number from 1 to 2147483647, but is '0'", "sets", "pop", "s", "0")]
    [InlineData("count must be a whole number from 1 to 2147483647, but is '-1'", "sets", "sample", "s", "-1")]
    [InlineData("--truncate must be a whole number from 1 to 2147483647, but is '2147483648'", "list", "push", "l", "v", "--truncate", "2147483648")]
    [InlineData("--start must be a whole number from -2147483648 to 2147483647, but is '-2147483649'", "list", "all", "l", "--start", "-2147483649")]
    [InlineData("--end must be a whole number from -2147483648 to 2147483647, but is '1.5'", "zset", "all", "z", "--end", "1.5")]
    [InlineData("each score must be followed by its element", "zset", "put", "z", "1")]
    [InlineData("a score must be a number, inf or -inf, but is 'e'", "zset", "put", "z", "1", "a", "e", "2")]
    [InlineData("a score must be a number, inf or -inf, but is 'NaN'", "zset", "put", "z", "NaN", "e")]
    [InlineData("a score must be a number, inf or -inf, but is '1e999'", "zset", "put", "z", "1e999", "e")]
    [InlineData("a score must be a number, inf or -inf, but is '-'", "zset", "put", "z", "-", "e")]
    [InlineData("--min must be a number, inf or -inf, but is '-NaN'", "zset", "all", "z", "--min", "-NaN")]
    [InlineData("amount must be a number, inf or -inf, but is '1,5'", "zset", "increment", "z", "e", "1,5")]
    [InlineData("--min and --max cannot be combined with --start and --end", "zset", "all", "z", "--max", "1", "--start", "0")]
    public async Task Invalid_collection_command_explains_the_error_and_exits_with_2(string why, params string[] arguments)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        CliRun run = await CliProgram.RunAsync($"http://127.0.0.1:{server.Port}", arguments);
        Assert.Equal((2, ""), (run.Code, run.Text));
        Assert.Contains(why, run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("System.", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Collection_commands_use_the_given_cache_and_reject_unknown_caches()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        await client.CreateCacheAsync("other");
        string url = $"http://127.0.0.1:{server.Port}";
        Assert.Equal(0, (await CliProgram.RunAsync(url, ["sets", "add", "s", "e", "--cache", "other"])).Code);
        Assert.Equal("e\n", (await CliProgram.RunAsync(url, ["sets", "all", "s", "--cache", "other"])).Text);
        Assert.Equal(3, (await CliProgram.RunAsync(url, ["sets", "all", "s"])).Code);
        CliRun none = await CliProgram.RunAsync(url, ["sets", "all", "s", "--cache", "none"]);
        Assert.Equal((1, ""), (none.Code, none.Text));
        Assert.StartsWith("NotFound", none.Error, StringComparison.Ordinal);
    }
}
