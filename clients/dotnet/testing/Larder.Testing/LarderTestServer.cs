using Larder.Client;
using Larder.Server;

namespace Larder.Testing;

/// <summary>
/// A real Larder server inside the test process. It listens on 127.0.0.1, by default on a free port, and stores its items in its own memory. It uses no files,
/// no console and no signal handlers. Several servers can run concurrently. Disposing a server first closes the clients from <see cref="CreateClient"/>, and
/// then the server.
/// </summary>
public sealed class LarderTestServer : IAsyncDisposable
{
    // Clients from CreateClient are closed before the server shuts down. Other clients get at most this long to disconnect.
    private static readonly TimeSpan Drain = TimeSpan.FromSeconds(1);

    // Test machines are often busy. With a short deadline, calls could time out although the tested code is correct.
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

    /// <summary>Gets the address of the server: <c>http://127.0.0.1:PORT</c>.</summary>
    public Uri Endpoint => _server.Endpoint;

    /// <summary>Gets the port that the server listens on.</summary>
    public int Port => _server.Endpoint.Port;

    /// <summary>Gets the URL of the server, with the token if there is one. It is valid as the URL in a client's settings and in <c>LARDER_URL</c>.</summary>
    public string Url => _options.Token is null
        ? _server.Endpoint.GetLeftPart(UriPartial.Authority)
        : $"http://{Uri.EscapeDataString(_options.Token)}@{_server.Endpoint.Authority}";

    /// <summary>Starts a server, and waits until the server listens.</summary>
    /// <param name="options">The options of the server. If null, the defaults apply.</param>
    /// <param name="cancellationToken">Cancels the start.</param>
    /// <exception cref="ArgumentException">An option is outside its range.</exception>
    /// <exception cref="IOException">The port is already in use.</exception>
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
            TimeProvider = options.TimeProvider ?? throw new ArgumentException("TimeProvider must not be null.", nameof(options)),
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

    /// <summary>Creates a client of this server. Disposing the server closes the client; the test may also close it earlier.</summary>
    /// <param name="configuration">The configuration. If null, <see cref="Configurations.Laptop"/> with a deadline of 30 s applies.</param>
    /// <param name="defaultTtl">The time to live for sets that specify no TTL. If null, 1 minute applies.</param>
    /// <exception cref="ArgumentOutOfRangeException">A setting or the TTL is outside its range.</exception>
    /// <exception cref="ObjectDisposedException">The server was disposed.</exception>
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
