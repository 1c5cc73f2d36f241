using Larder.Redis;
using Larder.Server.Calls;
using Larder.Server.Metrics;
using Larder.Server.Pauses;
using Larder.Server.Pipeline;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <summary>The state of a server that runs as a gateway: the cluster that stores the items, and the directory of caches.</summary>
internal sealed class RemoteGateway
{
    // The maximum number of idle commands in the pool. This is enough for the calls of one busy pipeline and some batches.
    private const int IdleCommands = 4_096;

    private readonly RpcMeter?[] _meters;

    public RemoteGateway(
        RedisStore store,
        FleetDirectory directory,
        CallRules rules,
        PauseGuard guard,
        ServerMetrics metrics,
        FaultLog faults,
        TimeProvider time,
        int maxNearStreams)
    {
        Store = store;
        Directory = directory;
        Near = new FleetNear(store, directory, maxNearStreams, fault => faults.Say("the leases of near streams", fault));
        Turns = new FleetTurns(store, time);
        Rules = rules;
        Guard = guard;
        Faults = faults;
        TimeProvider = time;
        Sampler = metrics.Sampler;
        _meters = new RpcMeter?[PipelineCalls.FieldCount];
        for (int field = 0; field < _meters.Length; field++)
        {
            _meters[field] = PipelineCalls.Find(field) is { } call ? metrics.Pipelined[call.Name] : null;
        }
    }

    public RedisStore Store { get; }

    /// <summary>Gets the directory of caches.</summary>
    public FleetDirectory Directory { get; }

    /// <summary>Gets the near streams.</summary>
    public FleetNear Near { get; }

    /// <summary>Gets the queues in which light and heavy commands wait for their turn on a node.</summary>
    public FleetTurns Turns { get; }

    /// <summary>Gets the limits that each call is checked against.</summary>
    public CallRules Rules { get; }

    /// <summary>Gets the detector of pauses of the process. After a pause, calls may be older than they seem.</summary>
    public PauseGuard Guard { get; }

    /// <summary>Gets the sampler of calls.</summary>
    public CallSampler Sampler { get; }

    /// <summary>Gets the log of internal errors.</summary>
    public FaultLog Faults { get; }

    public TimeProvider TimeProvider { get; }

    public CommandPool Commands { get; } = new(IdleCommands);

    public UnaryPool Unary { get; } = new(IdleCommands);

    /// <summary>Finds a cache. Returns an error if the cache does not exist.</summary>
    public CallError? Find(string name, out RemoteCache? cache)
    {
        cache = null;
        if (!CacheName.IsValid(name))
        {
            return CallError.NoCacheName;
        }

        cache = Directory.Find(name);
        return cache is not null ? null
            : Directory.IsKnown ? CallError.CacheNotFound(name)
            : FleetErrors.NotReady;
    }

    /// <summary>Returns the deadline of a call that started at <paramref name="start"/>. Both are timestamps of the server's clock.</summary>
    /// <param name="start">The start of the call.</param>
    /// <param name="timeout">The call's timeout, or null for the default.</param>
    public long EndOf(long start, TimeSpan? timeout) =>
        start + (long)(Math.Min((timeout ?? FleetLimits.LongestCall).TotalSeconds, int.MaxValue) * TimeProvider.TimestampFrequency);

    /// <summary>Records a completed pipelined call, with the sizes of its request and its response.</summary>
    public void Record(int field, StatusCode status, long startedAt, int received, int sent)
    {
        if ((uint)field < (uint)_meters.Length && _meters[field] is { } meter)
        {
            meter.Record(status, TimeProvider.GetElapsedTime(startedAt));
            meter.Moved(received, sent);
        }
    }
}
