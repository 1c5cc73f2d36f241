using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Cli;

/// <summary>Tests that arbitrary bytes pass through the command line unchanged.</summary>
public sealed class BytesTests
{
    // The value contains a NUL, invalid UTF-8, and a line end that must not be trimmed.
    private static readonly byte[] s_bytes = [0, 255, 0x1b, (byte)'[', (byte)'2', (byte)'J', (byte)'\n'];

    [Fact]
    public async Task Get_prints_value_as_raw_bytes_hex_or_json()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string url = $"http://127.0.0.1:{server.Port}";
        Assert.Equal("stored\n", (await CliProgram.RunAsync(url, ["set", "b", "-"], s_bytes)).Text);
        Assert.Equal(s_bytes, (await CliProgram.RunAsync(url, ["get", "b", "--raw"])).Output);
        Assert.Equal((byte[])[.. s_bytes, (byte)'\n'], (await CliProgram.RunAsync(url, ["get", "b"])).Output);
        Assert.Equal("00ff1b5b324a0a\n", (await CliProgram.RunAsync(url, ["get", "b", "--hex"])).Text);
        Assert.Equal("{\"key\":\"b\",\"base64\":\"AP8bWzJKCg==\"}\n", (await CliProgram.RunAsync(url, ["get", "b", "--json"])).Text);
        Assert.Equal(0, (await CliProgram.RunAsync(url, ["set", "00FF", "0a 1b", "--hex", "--hex-key"])).Code);
        Assert.Equal("0a1b\n", (await CliProgram.RunAsync(url, ["get", "00ff", "--hex-key", "--hex"])).Text);
    }

    [Fact]
    public async Task Set_and_get_transfer_3_MB_through_a_pipe()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string url = $"http://127.0.0.1:{server.Port}";
        byte[] large = new byte[3_000_000];
        new Random(1).NextBytes(large);
        Assert.Equal(0, (await CliProgram.RunAsync(url, ["set", "large"], large)).Code);
        Assert.Equal(large, (await CliProgram.RunAsync(url, ["get", "large", "--raw"])).Output);
    }

    [Fact]
    public async Task Argument_after_double_dash_is_a_value()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string url = $"http://127.0.0.1:{server.Port}";
        Assert.Equal(0, (await CliProgram.RunAsync(url, ["set", "--ttl", "9", "k", "--", "--ttl"])).Code);
        Assert.Equal("--ttl\n", (await CliProgram.RunAsync(url, ["get", "k"])).Text);
    }

    [Fact]
    public async Task Argument_starting_with_at_sign_is_not_a_file()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string url = $"http://127.0.0.1:{server.Port}";
        Assert.Equal("stored\n", (await CliProgram.RunAsync(url, ["set", "@k", "@/etc/hostname"])).Text);
        Assert.Equal("@/etc/hostname\n", (await CliProgram.RunAsync(url, ["get", "@k"])).Text);
    }

    [Fact]
    public async Task Terminal_output_escapes_control_characters_unless_raw()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string url = $"http://127.0.0.1:{server.Port}";
        await CliProgram.RunAsync(url, ["set", "b", "-"], s_bytes);
        string get = $"{CliProgram.InShell} get b";
        string seen = (await CliProgram.RunAsync(url, "script", ["-qec", get, "/dev/null"])).Text;
        Assert.Contains(@"\x00\xff\x1b[2J", seen, StringComparison.Ordinal);
        Assert.Contains("\e[2J", (await CliProgram.RunAsync(url, "script", ["-qec", $"{get} --raw", "/dev/null"])).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Argument_that_is_not_UTF8_is_rejected()
    {
        CliRun run = await CliProgram.RunAsync("http://127.0.0.1:1", "bash", ["-c", $"{CliProgram.InShell} set $'\\xff' v"]);
        Assert.Equal(2, run.Code);
        Assert.Contains("not valid UTF-8", run.Error, StringComparison.Ordinal);
    }
}
