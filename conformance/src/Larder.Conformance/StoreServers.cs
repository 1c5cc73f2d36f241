using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Larder.Conformance;

/// <summary>The redis-servers that the servers of a run stand in front of: one, or a cluster of three masters. In memory; they end with the runner.</summary>
internal sealed class StoreServers : IAsyncDisposable
{
    private const int Masters = 3;

    // A cluster's bus is 10,000 above its port.
    private const int BusOffset = 10_000;

    private readonly List<Process> _processes = [];
    private readonly string _folder = Directory.CreateTempSubdirectory("larder-conformance-").FullName;

    private StoreServers()
    {
    }

    /// <summary>The names that <c>--store</c> takes.</summary>
    public static IReadOnlyList<string> Names => ["memory", "redis", "redis-cluster"];

    /// <summary>What a server's <c>--store</c> is told.</summary>
    public string Url { get; private set; } = "";

    /// <summary>Starts the store of that name; null for <c>memory</c>, which is the server's own.</summary>
    public static async Task<StoreServers?> StartAsync(string name)
    {
        if (name == "memory")
        {
            return null;
        }

        StoreServers servers = new();
        try
        {
            await servers.StartAllAsync(name == "redis" ? 1 : Masters).ConfigureAwait(false);
            return servers;
        }
        catch
        {
            await servers.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (Process process in _processes)
        {
            process.Kill();
            await process.WaitForExitAsync().ConfigureAwait(false);
            process.Dispose();
        }

        Directory.Delete(_folder, recursive: true);
    }

    private async Task StartAllAsync(int count)
    {
        List<string> endpoints = [];
        for (int number = 0; number < count; number++)
        {
            string port = FreePort().ToString(CultureInfo.InvariantCulture);
            string folder = Directory.CreateDirectory(Path.Combine(_folder, port)).FullName;
            string[] cluster = count == 1 ? [] : ["--cluster-enabled", "yes"];
            _processes.Add(Start(
                "redis-server",
                ["--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder, .. cluster]));
            await UntilAsync(() => SaysAsync(port, "PONG", "ping")).ConfigureAwait(false);
            endpoints.Add($"127.0.0.1:{port}");
        }

        if (count > 1)
        {
            using Process join = Start("redis-cli", ["--cluster", "create", .. endpoints, "--cluster-yes"]);
            await join.WaitForExitAsync().ConfigureAwait(false);
            foreach (string endpoint in endpoints)
            {
                await UntilAsync(() => SaysAsync(endpoint.Split(':')[1], "cluster_state:ok", "cluster", "info")).ConfigureAwait(false);
            }
        }

        Url = $"redis://{string.Join(',', endpoints)}";
    }

    private static Process Start(string program, IEnumerable<string> arguments)
    {
        Process process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true })
            ?? throw new InvalidOperationException($"{program} did not start");
        _ = process.StandardOutput.BaseStream.CopyToAsync(Stream.Null);
        return process;
    }

    private static async Task<bool> SaysAsync(string port, string expected, params string[] words)
    {
        using Process ask = Process.Start(
            new ProcessStartInfo("redis-cli", ["-p", port, .. words]) { RedirectStandardOutput = true, RedirectStandardError = true })!;
        string said = await ask.StandardOutput.ReadToEndAsync().ConfigureAwait(false);
        await ask.WaitForExitAsync().ConfigureAwait(false);
        return said.Contains(expected, StringComparison.Ordinal);
    }

    private static async Task UntilAsync(Func<Task<bool>> isSo)
    {
        long start = Stopwatch.GetTimestamp();
        while (!await isSo().ConfigureAwait(false))
        {
            if (Stopwatch.GetElapsedTime(start) > TimeSpan.FromSeconds(30))
            {
                throw new InvalidOperationException("redis-server was not ready within 30 s");
            }

            await Task.Delay(50).ConfigureAwait(false);
        }
    }

    private static int FreePort()
    {
        while (true)
        {
            int port = Random.Shared.Next(11_000, 32_000);
            if (IsFree(port) && IsFree(port + BusOffset))
            {
                return port;
            }
        }
    }

    private static bool IsFree(int port)
    {
        using TcpListener listener = new(IPAddress.Loopback, port);
        try
        {
            listener.Start();
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
