using Larder.Client.Tests.Support;
using Larder.Harness.Servers;

namespace Larder.Client.Tests.Cli;

/// <summary>Tests the error messages for a wrong port, and for a server that requires a token or TLS.</summary>
public sealed class ConnectionMessageTests
{
    private const string NeedsTls = "Unavailable: No connection: the port requires TLS; use an https:// address";
    private const string NoTls = "Unavailable: No connection: the port does not use TLS; use an http:// address or the TLS port";
    private const string Console = "Unavailable: No connection: the port uses HTTP/1 and may be the console port; use the data port";

    [Theory]
    [InlineData(Transport.Pipeline)]
    [InlineData(Transport.Unary)]
    public async Task Call_with_wrong_protocol_fails_immediately_with_advice(Transport transport)
    {
        using CertificateFiles files = new();
        await using RunningServer plain = await RunningServer.StartAsync();
        await using RunningServer secure = await RunningServer.StartAsync(certificate: files.Certificate, key: files.Key);
        foreach ((string url, string reason) in (IEnumerable<(string, string)>)
            [
                ($"http://127.0.0.1:{secure.Port}", NeedsTls), ($"https://127.0.0.1:{plain.Port}", NoTls), ($"http://{plain.Console}", Console),
                ($"https://{plain.Console}", NoTls),
            ])
        {
            // With this long deadline, the test passes only if the call fails without waiting for the server.
            await using CacheClient client = new(
                Configurations.Laptop.V1() with { Transport = transport, RequestTimeout = TimeSpan.FromHours(1) },
                CredentialProvider.FromString(url),
                TimeSpan.FromMinutes(1));
            CacheError error = Expect.Error(await client.Cache("cache").GetAsync("k"));
            Assert.Equal(CacheErrorCode.Unavailable, error.Code);
            Assert.Equal(reason, $"{error.Code}: {error.Reason}");
        }
    }

    [Theory]
    [InlineData("get k")]
    [InlineData("ping")]
    [InlineData("export")]
    [InlineData("scan")]
    [InlineData("subscribe t")]
    [InlineData("caches")]
    public async Task Command_error_names_the_protocol_that_the_port_requires(string words)
    {
        using CertificateFiles files = new();
        await using RunningServer plain = await RunningServer.StartAsync();
        await using RunningServer secure = await RunningServer.StartAsync(certificate: files.Certificate, key: files.Key);
        Assert.Contains(NeedsTls, (await FailAsync($"http://127.0.0.1:{secure.Port}", words)).Error, StringComparison.Ordinal);
        Assert.Contains(NoTls, (await FailAsync($"https://127.0.0.1:{plain.Port}", words)).Error, StringComparison.Ordinal);
        Assert.Contains(Console, (await FailAsync($"http://{plain.Console}", words)).Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("stats")]
    [InlineData("stat")]
    [InlineData("snapshot")]
    public async Task Stats_command_on_the_data_port_suggests_the_console_address(string words)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        CliRun run = await FailAsync($"http://127.0.0.1:{server.Port}", $"{words} --console 127.0.0.1:{server.Port}");
        Assert.EndsWith("pass the address of the console with --console. The server's start line shows it.\n", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Interrupted_import_reports_progress_and_exits_with_130()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string url = $"http://127.0.0.1:{server.Port}";
        // The input stays open. So the import is waiting for more input when the signal arrives.
        string interrupted = "mkfifo in; exec 3<>in; echo '{\"key\":\"k\",\"value\":\"v\"}' >&3; "
            + $"env --default-signal=INT {CliProgram.InShell} import < in > out 2> errors & p=$!; "
            + $"until {CliProgram.InShell} get k > got 2> none; do sleep 0.05; done; kill -INT $p; wait $p; echo $?; cat out errors";
        string folder = Directory.CreateTempSubdirectory("larder-import").FullName;
        try
        {
            CliRun run = await CliProgram.RunAsync(url, "bash", ["-c", interrupted], folder: folder);
            Assert.Equal("130\ninterrupted; items imported: 1\n", run.Text);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static async Task<CliRun> FailAsync(string url, string words)
    {
        CliRun run = await CliProgram.RunAsync(url, words.Split(' '));
        Assert.True(run.Code == 1, $"{run.Code}: {run.Error}");
        return run;
    }
}
