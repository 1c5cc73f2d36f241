using System.Collections.Concurrent;
using Larder.Redis;
using Larder.Server.Fleet;

namespace Larder.Server.Doctor;

/// <summary>Checks whether a gateway could use its engine.</summary>
internal static class EngineChecks
{
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(4);
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(20);

    public static async Task<IReadOnlyList<Finding>> RunAsync(ServerOptions options, CancellationToken cancelled)
    {
        const string Subject = "engine";
        ConcurrentQueue<string> notices = [];
        RedisOptions connection;
        try
        {
            connection = StoreConnection.Read(options);
        }
        catch (ServerOptionsException)
        {
            // FileChecks reports the reason.
            return [];
        }

        RedisStore store = RedisStore.Start(connection with
        {
            ClientName = "larder-doctor",
            OnNotice = notice =>
            {
                if (notice.IsWarning)
                {
                    notices.Enqueue(notice.Message);
                }
            },
        });
        await using (store.ConfigureAwait(false))
        {
            for (long start = Environment.TickCount64; !store.IsReady && Environment.TickCount64 - start < Timeout.TotalMilliseconds;)
            {
                await Task.Delay(Interval, cancelled).ConfigureAwait(false);
            }

            RedisStatistics state = store.Statistics();
            string? why = store.WhyNotReady;
            List<Finding> findings =
            [
                why is { } reason
                    ? Finding.Error(Subject, reason.TrimEnd('.'), "start the engine, or correct the address, user and password of --store")
                    : Finding.Ok(Subject, $"{(state.IsCluster == true ? $"a cluster (masters: {store.MasterCount})" : "one server")} responds"),
                .. state.Nodes.Where(node => node.WhyNot is not null && !IsKnown(node.Name)).Select(static node => Finding.Error(
                    Subject,
                    $"cannot connect to the node {node.Name}: {node.WhyNot!.TrimEnd('.')}",
                    "check that the node runs, and that this machine can reach its announced address")),
                .. notices.Distinct().Where(notice => !state.Nodes.Any(node => notice.Contains(node.Name, StringComparison.Ordinal))).Select(
                    static notice => Finding.Warning(Subject, notice.TrimEnd('.'), "see the guide 'From a server to a fleet'")),
            ];
            return findings;

            // A node that is the reason why the engine is not ready is reported only once.
            bool IsKnown(string node) => why?.Contains(node, StringComparison.Ordinal) == true;
        }
    }
}
