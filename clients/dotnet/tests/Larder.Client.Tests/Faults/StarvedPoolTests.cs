using System.Net;
using System.Net.Sockets;
using Larder.Client.Tests.Support;
using Larder.Harness;
using Larder.Harness.Processes;
using Larder.Harness.Proxies;

namespace Larder.Client.Tests.Faults;

/// <summary>
/// Tests blocking calls in a process whose thread pool never has a free thread. The calls run in a separate program, because other tests need the thread pool
/// of this process.
/// </summary>
[Collection(nameof(SequentialTests))]
public sealed class StarvedPoolTests
{
    // The number of threads that the program starts.
    private const int Threads = 40;

    // The number of TLS connections that the program opens, one after the other.
    private const int SecureConnections = 10;

    private static readonly string[] s_ended = ["Timeout", "Unavailable"];

    [Theory]
    [InlineData(Transport.Pipeline)]
    [InlineData(Transport.Unary)]
    public async Task Blocking_calls_end_when_no_pool_thread_is_free(Transport transport)
    {
        using Certificates certificates = new();
        certificates.Issue("server", "localhost");
        await using RunningServer server = await RunningServer.StartAsync();
        await using RunningServer secure = await RunningServer.StartAsync(
            certificate: certificates.PathOf("server.pem"), key: certificates.PathOf("server.key"));
        await using FaultProxy proxy = new(server.Port);
        // A socket that accepts connections but never responds.
        using TcpListener silent = new(IPAddress.Loopback, 0);
        silent.Start();
        using TcpListener refusing = new(IPAddress.Loopback, 0);
        refusing.Start();
        string refusingUrl = UrlOf(((IPEndPoint)refusing.LocalEndpoint).Port);
        refusing.Stop();
        using ChildProcess program = ChildProcess.Start(
            ProgramCommand.Dotnet(
                "starved pool",
                Checkout.Program("clients/dotnet/tests/StarvedPool"),
                transport.ToString(),
                UrlOf(server.Port),
                UrlOf(proxy.Port),
                UrlOf(((IPEndPoint)silent.LocalEndpoint).Port),
                refusingUrl,
                certificates.Authority,
                $"https://localhost:{secure.Port}"));
        Dictionary<string, Dictionary<string, int>> outcomes = await ReadAsync(program, proxy);

        Is(outcomes, "first calls", ("done", 3 * Threads), ("hit", 2 * Threads));
        Is(outcomes, "asynchronous calls", ("Success", 3 * Threads), ("Hit", Threads));
        Is(outcomes, "large values", ("Success", 4), ("Hit", 4));
        Is(outcomes, "dispose", ("done", 1));
        Is(outcomes, "before the loss", ("Success", Threads));
        Is(outcomes, "after the loss", ("Hit", Threads));
        Is(outcomes, "cut network", ("Timeout", Threads));
        Is(outcomes, "healed network", ("Hit", Threads));
        foreach (string name in (string[])["silent server", "refusing server"])
        {
            Assert.All(outcomes[name].Keys.Concat(outcomes[$"{name}, connect"].Keys), outcome => Assert.Contains(outcome, s_ended));
            Assert.Equal(2 * Threads, outcomes[name].Values.Sum());
            Is(outcomes, $"{name}, dispose", ("done", 1));
        }

        Is(outcomes, "host name", ("Miss", Threads));
        Is(outcomes, "token provider", ("Miss", Threads));
        if (transport == Transport.Pipeline)
        {
            Is(outcomes, "near cache", ("Success", Threads), ("Hit", Threads));
        }

        Is(outcomes, "subscription", ("item", 1));
        Is(outcomes, "file store", ("done", Threads), ("hit", Threads), ("created", Threads));
        // Several connections, because a handshake must never depend on the pool, whichever thread runs first.
        Assert.All(Enumerable.Range(0, SecureConnections), connection => Is(outcomes, $"TLS {connection}", ("Success", Threads), ("Hit", Threads)));
    }

    private static string UrlOf(int port) => $"http://127.0.0.1:{port}";

    private static void Is(
        Dictionary<string, Dictionary<string, int>> outcomes, string name, params (string Outcome, int Count)[] expected) =>
        Assert.True(
            expected.ToDictionary(static each => each.Outcome, static each => each.Count) is var counts
                && counts.Count == outcomes[name].Count && counts.All(each => outcomes[name].GetValueOrDefault(each.Key) == each.Value),
            $"{name}: {string.Join(", ", outcomes[name])}");

    // Each line is either "NAME: COUNT OUTCOME, …" or a command for the proxy.
    private static async Task<Dictionary<string, Dictionary<string, int>>> ReadAsync(ChildProcess program, FaultProxy proxy)
    {
        Dictionary<string, Dictionary<string, int>> outcomes = [];
        while (await program.Output.ReadLineAsync().WaitAsync(Eventually.Limit * 4) is { } line && line != "end")
        {
            if (line.Split(": ") is [string name, string counts])
            {
                outcomes[name] = counts.Split(", ", StringSplitOptions.RemoveEmptyEntries)
                    .Select(static each => each.Split(' '))
                    .Where(static each => each is not ["0", "unanswered"])
                    .ToDictionary(static each => each[1], static each => int.Parse(each[0], System.Globalization.CultureInfo.InvariantCulture));
                continue;
            }

            Do(line, proxy);
            await program.Input.WriteLineAsync();
            await program.Input.FlushAsync();
        }

        Assert.Equal(0, await program.WaitForExitAsync());
        return outcomes;
    }

    private static void Do(string what, FaultProxy proxy)
    {
        switch (what)
        {
            case "reset":
                proxy.ResetAll();
                break;
            case "cut":
                proxy.IsCut = true;
                break;
            case "heal":
                proxy.IsCut = false;
                break;
            default:
                throw new InvalidOperationException($"The program wrote '{what}'.");
        }
    }
}
