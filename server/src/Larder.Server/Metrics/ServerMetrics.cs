using System.Collections.Frozen;

namespace Larder.Server.Metrics;

/// <summary>Everything that the server counts about itself; the store counts for itself.</summary>
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

    /// <param name="unaryPaths">The wire path of each rpc; its last part is the rpc's name.</param>
    /// <param name="pipelined">The names of the calls that the pipeline carries.</param>
    public ServerMetrics(IEnumerable<string> unaryPaths, IEnumerable<string> pipelined)
    {
        _byPath = unaryPaths.ToFrozenDictionary(
            path => path,
            path => new RpcMeter(path[(path.LastIndexOf('/') + 1)..], "unary"));
        Pipelined = pipelined.ToFrozenDictionary(name => name, name => new RpcMeter(name, "pipeline"));
    }

    /// <summary>The meters of the pipelined calls by name.</summary>
    public FrozenDictionary<string, RpcMeter> Pipelined { get; }

    /// <summary>Whose the open connections are.</summary>
    public ClientConnections Clients { get; } = new();

    /// <summary>The keys called most, and the slowest calls.</summary>
    public CallSampler Sampler { get; } = new(TimeProvider.System);

    /// <summary>Every meter.</summary>
    public IEnumerable<RpcMeter> Meters => _byPath.Values.Concat(Pipelined.Values);

    /// <inheritdoc/>
    public void Dispose() => Sampler.Dispose();

    /// <summary>Connections open now.</summary>
    public long Connections => Volatile.Read(ref _connections);

    /// <summary>Connections accepted since the start.</summary>
    public long ConnectionsAccepted => Volatile.Read(ref _connectionsAccepted);

    /// <summary>Connections closed because all slots were taken, since the start: new ones, or unauthenticated ones that a new one replaced.</summary>
    public long ConnectionsRefused => Volatile.Read(ref _connectionsRefused);

    /// <summary>Connections whose TLS handshake failed, since the start.</summary>
    public long HandshakesFailed => Volatile.Read(ref _handshakesFailed);

    /// <summary>Calls under way now, each pipeline counted as one.</summary>
    public long Streams => Volatile.Read(ref _streams);

    /// <summary>Pipelines open now.</summary>
    public long Pipelines => Volatile.Read(ref _pipelines);

    /// <summary>Faults that were not logged, since too many were, since the start.</summary>
    public long LogLinesDropped => Volatile.Read(ref _logLinesDropped);

    /// <summary>Files of tokens and certificates read again since the start.</summary>
    public long Reloads => Volatile.Read(ref _reloads);

    /// <summary>Those that could not be read again.</summary>
    public long ReloadsFailed => Volatile.Read(ref _reloadsFailed);

    /// <summary>Calls and requests that showed no known token, since the start.</summary>
    public long AuthenticationsFailed => Volatile.Read(ref _authenticationsFailed);

    /// <summary>Calls of a known token that has not their role, since the start.</summary>
    public long PermissionsDenied => Volatile.Read(ref _permissionsDenied);

    /// <summary>Calls and requests that were refused unread, since their address had failed too often, since the start.</summary>
    public long DoorRefusals => Volatile.Read(ref _doorRefusals);

    /// <summary>The meter of a wire path; null where the server has no such rpc.</summary>
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

    public void DoorRefused() => Interlocked.Increment(ref _doorRefusals);

    public void Reloaded(bool isRead) => Interlocked.Increment(ref isRead ? ref _reloads : ref _reloadsFailed);

    public void PipelineOpened() => Interlocked.Increment(ref _pipelines);

    public void PipelineClosed() => Interlocked.Decrement(ref _pipelines);
}
