using System.Diagnostics;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Server.Metrics;
using Larder.Server.Pauses;
using Larder.Server.Topics;
using Microsoft.Extensions.Logging;

namespace Larder.Server.Fleet;

/// <summary>Starts, stops and disposes the parts of a gateway: the cluster's client, the directory loop and the topics.</summary>
internal sealed class FleetHost : IAsyncDisposable
{
    private static readonly TimeSpan MaxFirstReadTime = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan LookEvery = TimeSpan.FromMilliseconds(10);

    private readonly DirectoryLoop _loop;
    private RemoteTopicBroker? _topics;

    private FleetHost(RemoteGateway gateway, DirectoryLoop loop)
    {
        Gateway = gateway;
        _loop = loop;
    }

    public RemoteGateway Gateway { get; }

    public RedisStore Store => Gateway.Store;

    /// <summary>Starts to connect to the cluster. The cluster does not have to be reachable yet.</summary>
    public static FleetHost Start(ServerOptions options, CallRules rules, PauseGuard guard, ServerMetrics metrics, FaultLog faults, ILogger logger)
    {
        TimeProvider time = options.TimeProvider;
        RedisStore store = RedisStore.Start(StoreConnection.Read(options) with
        {
            ClientName = "larder-gateway",
            Scripts = FleetScripts.All,
            TimeProvider = time,
            OnNotice = notice => Say(logger, notice),
            OnBatchEnd = ReplyBatches.End,
        });
        FleetDirectory directory = new(store, options.DefaultCache, time);
        GenerationSweep sweep = new(store, time, directory.Has);
        DirectoryLoop loop = new(store, directory, sweep, time, fault => faults.Say("the directory of caches", fault));
        return new FleetHost(new RemoteGateway(store, directory, rules, guard, metrics, faults, time, options.MaxNearStreams), loop);
    }

    /// <summary>Creates the topic broker. May be called only once.</summary>
    public RemoteTopicBroker OpenTopics(TopicLimits limits, TopicMemory memory) => _topics = new RemoteTopicBroker(Gateway, limits, memory);

    /// <summary>Waits until the gateway can serve calls, but at most three seconds, because an unreachable cluster must not prevent startup.</summary>
    public async Task WaitForFirstLookAsync(CancellationToken cancellationToken)
    {
        long start = Stopwatch.GetTimestamp();
        while (!(Gateway.Directory.IsKnown && Store.IsReady) && Stopwatch.GetElapsedTime(start) < MaxFirstReadTime)
        {
            await Task.Delay(LookEvery, cancellationToken).ConfigureAwait(false);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _loop.DisposeAsync().ConfigureAwait(false);
        if (_topics is not null)
        {
            await _topics.DisposeAsync().ConfigureAwait(false);
        }

        await Gateway.Directory.DisposeAsync().ConfigureAwait(false);
        await Store.DisposeAsync().ConfigureAwait(false);
        Gateway.Turns.Dispose();
    }

    private static void Say(ILogger logger, RedisNotice notice)
    {
        if (notice.IsWarning)
        {
            Log.ClusterWarning(logger, notice.Message);
        }
        else
        {
            Log.ClusterNews(logger, notice.Message);
        }
    }
}
