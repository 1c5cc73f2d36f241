using System.Text;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Cli;

/// <summary>Tests the dict command, run as a process.</summary>
public sealed class DictionaryCommandTests
{
    // The value contains a tab, a line end, an escape sequence that clears the screen, and invalid UTF-8.
    private static readonly byte[] s_hostile = [(byte)'\t', (byte)'\n', 0x1B, (byte)'[', (byte)'2', (byte)'J', 0xFF];

    [Fact]
    public async Task Dict_commands_set_read_increment_and_remove_fields()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string script = """
            dict set user name Ann city 'New York' --ttl 90
            dict get user name
            dict get user name none city
            dict length user
            dict increment user visits
            dict increment user visits -4 --no-refresh
            dict remove user name city none
            dict all user
            dict remove none name
            dict set get get length
            dict get get get
            type user
            """;
        CliRun run = await CliProgram.RunAsync($"http://127.0.0.1:{server.Port}", ["shell"], Encoding.UTF8.GetBytes(script));
        Assert.Equal("stored\nAnn\nname\tAnn\ncity\tNew York\n2\n1\n-3\ngone\nvisits\t-3\ngone\nstored\nlength\ndictionary\n", run.Text);
        Assert.Equal((0, ""), (run.Code, run.Error));
    }

    [Fact]
    public async Task Dict_commands_preserve_bytes_and_print_one_field_per_line()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string url = $"http://127.0.0.1:{server.Port}";
        Assert.Equal("stored\n", (await CliProgram.RunAsync(url, ["dict", "set", "d", "@f", "-"], s_hostile)).Text);
        Assert.Equal(s_hostile, (await CliProgram.RunAsync(url, ["dict", "get", "d", "@f", "--raw"])).Output);
        Assert.Equal((byte[])[.. s_hostile, (byte)'\n'], (await CliProgram.RunAsync(url, ["dict", "get", "d", "@f"])).Output);
        Assert.Equal("090a1b5b324aff\n", (await CliProgram.RunAsync(url, ["dict", "get", "d", "@f", "--hex"])).Text);
        Assert.Equal("{\"field\":\"@f\",\"base64\":\"CQobWzJK/w==\"}\n", (await CliProgram.RunAsync(url, ["dict", "get", "d", "@f", "--json"])).Text);
        Assert.Equal("@f\t\\t\\n\\x1b[2J\\xff\n", (await CliProgram.RunAsync(url, ["dict", "all", "d"])).Text);
        Assert.Equal((byte[])[.. "@f\t"u8, .. s_hostile, (byte)'\n'], (await CliProgram.RunAsync(url, ["dict", "all", "d", "--raw"])).Output);
        Assert.Equal("4066\t090a1b5b324aff\n", (await CliProgram.RunAsync(url, ["dict", "all", "d", "--hex"])).Text);
        Assert.Equal(0, (await CliProgram.RunAsync(url, ["dict", "set", "ff", "00FE", "0a", "--hex-key", "--hex-elements"])).Code);
        Assert.Equal("{\"fieldBase64\":\"AP4=\",\"value\":\"\\n\"}\n", (await CliProgram.RunAsync(url, ["dict", "all", "FF", "--hex-key", "--json"])).Text);
    }

    [Fact]
    public async Task No_refresh_option_of_dict_set_keeps_the_ttl()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        string url = $"http://127.0.0.1:{server.Port}";
        Assert.Equal(0, (await CliProgram.RunAsync(url, ["dict", "set", "d", "f", "v", "--ttl", "3000"])).Code);
        Assert.Equal(0, (await CliProgram.RunAsync(url, ["dict", "set", "d", "f", "w", "--ttl", "9000", "--no-refresh"])).Code);
        Assert.InRange(await LeftAsync(), TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(3000));
        Assert.Equal(0, (await CliProgram.RunAsync(url, ["dict", "set", "d", "f", "x", "--ttl-seconds", "9000"])).Code);
        Assert.InRange(await LeftAsync(), TimeSpan.FromSeconds(3001), TimeSpan.FromSeconds(9000));

        async Task<TimeSpan> LeftAsync() => Expect.Hit(await client.Cache("cache").ItemGetTtlAsync("d"));
    }
}
