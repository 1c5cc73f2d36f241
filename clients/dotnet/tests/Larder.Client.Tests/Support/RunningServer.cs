using System.Net.Sockets;
using Larder.Server;

namespace Larder.Client.Tests.Support;

/// <summary>The real server on a free port, in this process.</summary>
internal sealed class RunningServer : IAsyncDisposable
{
    private readonly LarderServer _server;

    private RunningServer(LarderServer server) => _server = server;

    public int Port => _server.Endpoint.Port;

    /// <summary>Gets the console's address as host:port.</summary>
    public string Console => _server.ConsoleEndpoint.Authority;

    public int ConsolePort => _server.ConsoleEndpoint.Port;

    public static async Task<RunningServer> StartAsync(
        int port = 0,
        bool faultInjection = false,
        string? token = null,
        TimeSpan? maxTtl = null,
        TimeProvider? time = null,
        string? certificate = null,
        string? key = null,
        string? snapshot = null,
        string? tokens = null,
        string? clientAuthority = null,
        int? maxTopics = null,
        int? maxTopicSubscribers = null) =>
        new(
            await LarderServer.StartAsync(
                new ServerOptions
                {
                    Port = port,
                    ConsolePort = 0,
                    MemoryBytes = 64L << 20,
                    FaultInjection = faultInjection,
                    Token = token,
                    TlsCertificatePath = certificate,
                    TlsKeyPath = key,
                    MaxTtl = maxTtl ?? TimeSpan.FromHours(24),
                    DrainTimeout = TimeSpan.FromSeconds(2),
                    TimeProvider = time ?? TimeProvider.System,
                    SnapshotPath = snapshot,
                    TokensPath = tokens,
                    ClientAuthorityPath = clientAuthority,
                    MaxTopicsPerCache = maxTopics ?? new ServerOptions().MaxTopicsPerCache,
                    MaxTopicSubscribers = maxTopicSubscribers ?? new ServerOptions().MaxTopicSubscribers,
                }));

    /// <summary>
    /// Starts a server on a port that another server is releasing. Retries until the port is free. The port becomes free soon after the other server has
    /// started to drain, when the last accept operation of that server has ended.
    /// </summary>
    public static async Task<RunningServer> SucceedAsync(int port)
    {
        DateTime end = DateTime.UtcNow + Eventually.Limit;
        while (true)
        {
            try
            {
                return await StartAsync(port);
            }
            catch (ServerOptionsException taken)
                when (taken.InnerException is SocketException { SocketErrorCode: SocketError.AddressAlreadyInUse } && DateTime.UtcNow < end)
            {
                await Task.Delay(5);
            }
        }
    }

    public CacheClient Connect(Configuration configuration, int? port = null) =>
        new(configuration, CredentialProvider.Local(port: port ?? Port), TimeSpan.FromMinutes(1));

    public Task StopAsync() => _server.StopAsync();

    public ValueTask DisposeAsync() => _server.DisposeAsync();
}
