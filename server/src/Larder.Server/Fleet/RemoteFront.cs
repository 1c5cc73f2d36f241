using Larder.Redis;
using Larder.Server.Calls;
using Larder.Server.Metrics;
using Larder.Server.Pauses;
using Larder.Server.Pipeline;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <summary>What makes a server a front: the cluster where the items are, and the caches that its directory names.</summary>
internal sealed class RemoteFront
{
    // What one busy pipeline has in flight, and batches beside it.
    private const int IdleCommands = 4_096;

    private readonly RpcMeter?[] _meters;

    public RemoteFront(RedisStore store, FleetDirectory directory, CallRules rules, PauseGuard guard, ServerMetrics metrics, FaultLog faults, TimeProvider time)
    {
        Store = store;
        Directory = directory;
        Near = new FleetNear(store, directory, fault => faults.Say("the leases of near streams", fault));
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

    /// <summary>The caches.</summary>
    public FleetDirectory Directory { get; }

    /// <summary>Those that are told what changes.</summary>
    public FleetNear Near { get; }

    /// <summary>The turns of commands that may take long on their nodes.</summary>
    public FleetTurns Turns { get; }

    /// <summary>The limits of each call.</summary>
    public CallRules Rules { get; }

    /// <summary>Knows when calls may be older than they look.</summary>
    public PauseGuard Guard { get; }

    /// <summary>Takes a sample of the calls.</summary>
    public CallSampler Sampler { get; }

    /// <summary>Where faults of the server's own are said.</summary>
    public FaultLog Faults { get; }

    public TimeProvider TimeProvider { get; }

    public CommandPool Commands { get; } = new(IdleCommands);

    public UnaryPool Unary { get; } = new(IdleCommands);

    /// <summary>Finds a cache; answers why not where there is none.</summary>
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

    /// <summary>When a call ends at the latest that was begun at <paramref name="start"/>; timestamps of the server's clock.</summary>
    /// <param name="start">When it was begun.</param>
    /// <param name="timeout">The time that it was given; null: none.</param>
    public long EndOf(long start, TimeSpan? timeout) =>
        start + (long)(Math.Min((timeout ?? FleetLimits.LongestCall).TotalSeconds, int.MaxValue) * TimeProvider.TimestampFrequency);

    /// <summary>Records a pipelined call that has ended, with the bytes of its request and of its answer.</summary>
    public void Record(int field, StatusCode status, long startedAt, int received, int sent)
    {
        if ((uint)field < (uint)_meters.Length && _meters[field] is { } meter)
        {
            meter.Record(status, TimeProvider.GetElapsedTime(startedAt));
            meter.Moved(received, sent);
        }
    }
}
