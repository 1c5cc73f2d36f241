using Larder.Protocol;
using Larder.Server.Console;
using Larder.Server.Tests.Faults;
using Larder.Wire;
using Microsoft.Extensions.Logging;

namespace Larder.Server.Tests.Snapshots;

/// <summary>A folder with a snapshot file, and the servers that use it one after another.</summary>
internal sealed class SnapshotServer : IAsyncDisposable
{
    private static readonly HttpClient Http = new();
    private readonly ILoggerFactory _loggers;
    private LarderServer? _server;
    private RpcChannel? _channel;

    public SnapshotServer() => _loggers = LoggerFactory.Create(logging => logging.AddProvider(Lines));

    public string Folder { get; } = Directory.CreateTempSubdirectory("larder-warm-").FullName;

    public string Path => System.IO.Path.Combine(Folder, "cache.snapshot");

    public LogLines Lines { get; } = new();

    public RpcChannel Channel => _channel!;

    public LarderServer Server => _server!;

    /// <summary>The names of the files in the folder, sorted.</summary>
    public string[] Files => [.. Directory.GetFiles(Folder).Select(file => System.IO.Path.GetFileName(file)!).Order(StringComparer.Ordinal)];

    public async Task StartAsync(Func<ServerOptions, ServerOptions>? with = null, CancellationToken cancelled = default)
    {
        ServerOptions options = new() { Port = 0, ConsolePort = 0, MemoryBytes = 64L << 20, SnapshotPath = Path, LongestBusyGap = TimeSpan.FromHours(1) };
        _server = await LarderServer.StartAsync(with is null ? options : with(options), _loggers, cancelled);
        _channel = StallTolerantChannel.To(_server.Endpoint);
    }

    public async Task StopAsync()
    {
        if (_channel is not null)
        {
            await _channel.DisposeAsync();
        }

        if (_server is not null)
        {
            await _server.DisposeAsync();
        }

        (_channel, _server) = (null, null);
    }

    public Task SetAsync(string key, string value, ulong ttlMs = 600_000) => Channel.SetAsync(key, System.Text.Encoding.UTF8.GetBytes(value), ttlMs);

    public async Task<bool> HasAsync(string key) => await Channel.GetAsync(key) == CacheResult.Hit;

    public Task<string> ReadAsync(string path) => Http.GetStringAsync(At(path));

    /// <summary>Requests a snapshot in the same way as the command-line tool. A test can change the headers and the method.</summary>
    public async Task<(int Status, string Answer)> CommandAsync(
        string? header = SnapshotCommand.Header,
        string? origin = null,
        string method = "POST",
        string? token = null)
    {
        using HttpRequestMessage request = new(new HttpMethod(method), At(SnapshotCommand.Path));
        if (header is not null)
        {
            request.Headers.Add(header, "snapshot");
        }

        if (origin is not null)
        {
            request.Headers.Add("Origin", origin);
        }

        if (token is not null)
        {
            request.Headers.Add("Authorization", $"Bearer {token}");
        }

        using HttpResponseMessage response = await Http.SendAsync(request);
        return ((int)response.StatusCode, await response.Content.ReadAsStringAsync());
    }

    // The console always listens on the loopback address.
    private Uri At(string path) => new($"http://127.0.0.1:{Server.ConsoleEndpoint.Port}{path}");

    public async ValueTask DisposeAsync()
    {
        await StopAsync();
        _loggers.Dispose();
        Directory.Delete(Folder, recursive: true);
    }
}
