using System.Collections.Frozen;

namespace Larder.Server.Metrics;

/// <summary>The counters of the server. The counters of the store are not included.</summary>
internal sealed class ServerMetrics : IDisposable
{
    private long _connections;
    private long _connectionsAccepted;
    private long _streams;
    private long _pipelines;
    private long _logLinesDropped;
    private long _connectionsRefused;
    private long _handshakesFailed;
    private long _reloads;
    private long _reloadsFailed;
    private long _authenticationsFailed;
    private long _permissionsDenied;
    private long _doorRefusals;

    private readonly FrozenDictionary<string, RpcMeter> _byPath;

    /// <param name="unaryPaths">The wire path of each rpc. The last part of the path is the name of the rpc.</param>
    /// <param name="pipelined">The names of the pipelined calls.</param>
    public ServerMetrics(IEnumerable<string> unaryPaths, IEnumerable<string> pipelined)
    {
        _byPath = unaryPaths.ToFrozenDictionary(
            path => path,
            path => new RpcMeter(path[(path.LastIndexOf('/') + 1)..], "unary"));
        Pipelined = pipelined.ToFrozenDictionary(name => name, name => new RpcMeter(name, "pipeline"));
    }

    /// <summary>Gets the meters of the pipelined calls, by name.</summary>
    public FrozenDictionary<string, RpcMeter> Pipelined { get; }

    /// <summary>Gets the counters of the open connections per client.</summary>
    public ClientConnections Clients { get; } = new();

    /// <summary>Gets the sampler for the most frequent keys and the slowest calls.</summary>
    public CallSampler Sampler { get; } = new(TimeProvider.System);

    public IEnumerable<RpcMeter> Meters => _byPath.Values.Concat(Pipelined.Values);

    /// <inheritdoc/>
    public void Dispose() => Sampler.Dispose();

    public long Connections => Volatile.Read(ref _connections);

    /// <summary>Gets the number of connections accepted since startup.</summary>
    public long ConnectionsAccepted => Volatile.Read(ref _connectionsAccepted);

    /// <summary>
    /// Gets the number of connections closed since startup because all slots were taken. This includes rejected new connections, and unauthenticated
    /// connections that were closed to make space for a new connection.
    /// </summary>
    public long ConnectionsRefused => Volatile.Read(ref _connectionsRefused);

    /// <summary>Gets the number of connections since startup whose TLS handshake failed.</summary>
    public long HandshakesFailed => Volatile.Read(ref _handshakesFailed);

    /// <summary>Gets the number of calls in progress. Each pipeline counts as one call.</summary>
    public long Streams => Volatile.Read(ref _streams);

    public long Pipelines => Volatile.Read(ref _pipelines);

    /// <summary>Gets the number of internal errors since startup that were not logged because of the rate limit.</summary>
    public long LogLinesDropped => Volatile.Read(ref _logLinesDropped);

    /// <summary>Gets the number of times since startup that a token or certificate file was reloaded.</summary>
    public long Reloads => Volatile.Read(ref _reloads);

    /// <summary>Gets the number of failed reloads since startup.</summary>
    public long ReloadsFailed => Volatile.Read(ref _reloadsFailed);

    /// <summary>Gets the number of calls and console requests since startup whose token was missing or unknown.</summary>
    public long AuthenticationsFailed => Volatile.Read(ref _authenticationsFailed);

    /// <summary>Gets the number of calls since startup whose token did not have the required role.</summary>
    public long PermissionsDenied => Volatile.Read(ref _permissionsDenied);

    /// <summary>
    /// Gets the number of calls and console requests since startup that were rejected because too many earlier attempts from their address had failed.
    /// </summary>
    public long DoorRefusals => Volatile.Read(ref _doorRefusals);

    /// <summary>Returns the meter of a wire path; null if the server has no such rpc.</summary>
    public RpcMeter? ForPath(string path) => _byPath.GetValueOrDefault(path);

    public void ConnectionOpened()
    {
        Interlocked.Increment(ref _connections);
        Interlocked.Increment(ref _connectionsAccepted);
    }

    public void ConnectionRefused() => Interlocked.Increment(ref _connectionsRefused);

    public void HandshakeFailed() => Interlocked.Increment(ref _handshakesFailed);

    public void ConnectionClosed() => Interlocked.Decrement(ref _connections);

    public void StreamOpened() => Interlocked.Increment(ref _streams);

    public void StreamClosed() => Interlocked.Decrement(ref _streams);

    public void LogLineDropped() => Interlocked.Increment(ref _logLinesDropped);

    public void AuthenticationFailed() => Interlocked.Increment(ref _authenticationsFailed);

    public void PermissionDenied() => Interlocked.Increment(ref _permissionsDenied);

    public void CountRateLimited() => Interlocked.Increment(ref _doorRefusals);

    public void Reloaded(bool isRead) => Interlocked.Increment(ref isRead ? ref _reloads : ref _reloadsFailed);

    public void PipelineOpened() => Interlocked.Increment(ref _pipelines);

    public void PipelineClosed() => Interlocked.Decrement(ref _pipelines);
}
