using Larder.Client;
using Larder.Server;

namespace Larder.Testing;

/// <summary>
/// The real server, in the test's own process: on a free port of 127.0.0.1, with memory of its own, nothing on disk, no console and no signal handlers. As many
/// as a test wants run side by side. Disposing of it closes the clients that it made, then the server.
/// </summary>
public sealed class LarderTestServer : IAsyncDisposable
{
    // Clients that it made are closed before; others are told to go, and are not waited for longer.
    private static readonly TimeSpan Drain = TimeSpan.FromSeconds(1);

    // A test's machine is busy: a deadline that is too short would be the test's fault, and not what it tests.
    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(30);

    private readonly LarderServer _server;
    private readonly LarderTestServerOptions _options;
    private readonly Lock _gate = new();
    private readonly List<CacheClient> _clients = [];
    private bool _isDisposed;

    private LarderTestServer(LarderServer server, LarderTestServerOptions options)
    {
        _server = server;
        _options = options;
    }

    /// <summary>Where it listens: <c>http://127.0.0.1:PORT</c>.</summary>
    public Uri Endpoint => _server.Endpoint;

    /// <summary>The port that it listens on.</summary>
    public int Port => _server.Endpoint.Port;

    /// <summary>What a client's settings or <c>LARDER_URL</c> take: the endpoint, with the token where there is one.</summary>
    public string Url => _options.Token is null
        ? _server.Endpoint.GetLeftPart(UriPartial.Authority)
        : $"http://{Uri.EscapeDataString(_options.Token)}@{_server.Endpoint.Authority}";

    /// <summary>Starts a server. It listens when this returns.</summary>
    /// <param name="options">How it runs; null: the defaults.</param>
    /// <param name="cancellationToken">Gives up the start.</param>
    /// <exception cref="ArgumentException">An option is out of its range.</exception>
    /// <exception cref="IOException">The port is taken.</exception>
    public static async Task<LarderTestServer> StartAsync(LarderTestServerOptions? options = null, CancellationToken cancellationToken = default)
    {
        options ??= new LarderTestServerOptions();
        cancellationToken.ThrowIfCancellationRequested();
        ServerOptions settings = new()
        {
            Port = options.Port,
            HasConsole = false,
            MemoryBytes = options.MemoryBytes,
            DefaultCache = options.CacheName,
            MaxTtl = options.MaxTtl,
            Token = options.Token,
            TimeProvider = options.TimeProvider ?? throw new ArgumentException("The clock is null.", nameof(options)),
            FaultInjection = options.FaultInjection,
            DrainTimeout = Drain,
        };
        try
        {
            settings.Validate();
        }
        catch (ServerOptionsException wrong)
        {
            throw new ArgumentException(wrong.Message, nameof(options), wrong);
        }

        try
        {
            return new LarderTestServer(await LarderServer.StartAsync(settings, cancellationToken: cancellationToken).ConfigureAwait(false), options);
        }
        catch (ServerOptionsException taken)
        {
            throw new IOException(taken.Message, taken);
        }
    }

    /// <summary>A client of this server, closed with it; closing it before is allowed.</summary>
    /// <param name="configuration">How it behaves; null: <see cref="Configurations.Laptop"/> with a deadline of 30 s.</param>
    /// <param name="defaultTtl">Time to live of sets that give none; null: a minute.</param>
    /// <exception cref="ArgumentOutOfRangeException">A setting or the TTL is out of its range.</exception>
    /// <exception cref="ObjectDisposedException">The server is disposed of.</exception>
    public CacheClient CreateClient(Configuration? configuration = null, TimeSpan? defaultTtl = null)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            CacheClient client = new(
                configuration ?? Configurations.Laptop.Latest() with { RequestTimeout = Deadline },
                CredentialProvider.FromString(Url),
                defaultTtl ?? TimeSpan.FromMinutes(1));
            _clients.Add(client);
            return client;
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        lock (_gate)
        {
            if (_isDisposed)
            {
                return;
            }

            _isDisposed = true;
        }

        foreach (CacheClient client in _clients)
        {
            await client.DisposeAsync().ConfigureAwait(false);
        }

        await _server.DisposeAsync().ConfigureAwait(false);
    }
}
