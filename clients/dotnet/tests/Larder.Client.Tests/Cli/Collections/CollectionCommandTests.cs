using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Cli;

/// <summary>Behaviour common to the commands of all collection types.</summary>
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

        Assert.Equal("v", Assert.IsType<GetResponse.Hit>(await client.Cache("cache").GetAsync("k")).ValueString);
        await client.Cache("cache").ListPushBackAsync("l", "v");
        CliRun get = await CliProgram.RunAsync($"http://127.0.0.1:{server.Port}", ["get", "l"]);
        Assert.Equal((1, ""), (get.Code, get.Text));
    }

    [Theory]
    [InlineData("each field wants its value behind it", "dict", "set", "d", "f")]
    [InlineData("Run 'larder dict set --help' for help", "dict", "set", "d", "f", "v", "g")]
    [InlineData("- stands for standard input once", "dict", "set", "d", "-", "-")]
    [InlineData("there is no option '--field' here", "dict", "get", "d", "--field", "f")]
    [InlineData("there is no option '-x' here", "list", "push", "l", "-x")]
    [InlineData("there is no option '--raw' here", "sets", "length", "s", "--raw")]
    [InlineData("--raw, --hex and --json exclude each other", "sets", "all", "s", "--raw", "--json")]
    [InlineData("'larder dict --help'", "dict")]
    [InlineData("'larder zset --help'", "zset", "none")]
    [InlineData("name: 'xyz' is no hexadecimal", "dict", "all", "xyz", "--hex-key")]
    [InlineData("field: 'x' is no hexadecimal", "dict", "get", "d", "x", "--hex-elements")]
    [InlineData("InvalidArgument", "dict", "get", "d", "")]
    [InlineData("InvalidArgument", "sets", "all", "")]
    [InlineData("'9223372036854775808' is no whole number (amount)", "dict", "increment", "d", "f", "9223372036854775808")]
    [InlineData("'-1e3' is no whole number (amount)", "dict", "increment", "d", "f", "-1e3")]
    [InlineData("'0' is no time to live in seconds", "list", "push", "l", "v", "--ttl", "0")]
    [InlineData("'NaN' is no time to live in seconds", "sets", "add", "s", "e", "--ttl", "NaN")]
    [InlineData("'0' is no whole number from 1 to 2147483647 (count)", "sets", "pop", "s", "0")]
    [InlineData("'-1' is no whole number from 1 to 2147483647 (count)", "sets", "sample", "s", "-1")]
    [InlineData("'2147483648' is no whole number from 1 to 2147483647 (--truncate)", "list", "push", "l", "v", "--truncate", "2147483648")]
    [InlineData("'-2147483649' is no whole number from -2147483648 to 2147483647 (--start)", "list", "all", "l", "--start", "-2147483649")]
    [InlineData("'1.5' is no whole number from -2147483648 to 2147483647 (--end)", "zset", "all", "z", "--end", "1.5")]
    [InlineData("each score wants its element behind it", "zset", "put", "z", "1")]
    [InlineData("'e' is no score", "zset", "put", "z", "1", "a", "e", "2")]
    [InlineData("'NaN' is no score", "zset", "put", "z", "NaN", "e")]
    [InlineData("'1e999' is no score", "zset", "put", "z", "1e999", "e")]
    [InlineData("'-' is no score", "zset", "put", "z", "-", "e")]
    [InlineData("'-NaN' is no number, and neither inf nor -inf (--min)", "zset", "all", "z", "--min", "-NaN")]
    [InlineData("'1,5' is no number, and neither inf nor -inf (amount)", "zset", "increment", "z", "e", "1,5")]
    [InlineData("--min and --max exclude --start and --end", "zset", "all", "z", "--max", "1", "--start", "0")]
    public async Task Invalid_collection_command_explains_the_error_and_exits_with_2(string why, params string[] arguments)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        CliRun run = await CliProgram.RunAsync($"http://127.0.0.1:{server.Port}", arguments);
        Assert.Equal((2, ""), (run.Code, run.Text));
        Assert.Contains(why, run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("System.", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Collection_commands_use_the_given_cache_and_reject_unknown_ones()
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
