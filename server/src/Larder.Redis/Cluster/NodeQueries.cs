using System.Text;

namespace Larder.Redis;

/// <summary>
/// Queries masters for information that is not in the slot map. The settings of a node are queried once. The lag of its replicas is queried each time.
/// </summary>
internal static class NodeQueries
{
    /// <summary>Sends the queries. If a query is not permitted, its result stays unknown.</summary>
    public static void Ask(StoreContext context, RedisNode node, CommandRouter router)
    {
        if (!node.AreSettingsChecked)
        {
            router.Send(new Question(context, node, reply => CheckPolicy(context, node, reply), "CONFIG", "GET", "maxmemory-policy"));
            router.Send(new Question(context, node, reply => CheckCoverage(context, node, reply), "CONFIG", "GET", "cluster-require-full-coverage"));
            router.Send(new Question(context, node, reply => CheckReads(context, node, reply), "CONFIG", "GET", "cluster-allow-reads-when-down"));
        }

        router.Send(new Question(context, node, reply => node.LagBytes = ReplicationLag.Read(reply[^1]), "INFO", "replication"));
        FlushList.Current.Flush();
    }

    private static void CheckPolicy(StoreContext context, RedisNode node, string[] reply)
    {
        // The node is marked as checked when the reply arrives, so that the query is repeated if the reply is lost.
        node.AreSettingsChecked = true;
        if (reply is [_, var policy] && !policy.StartsWith("volatile-", StringComparison.Ordinal))
        {
            context.Notify(
                true,
                $"Redis at {node.EndPoint} has maxmemory-policy {policy}. Set maxmemory and maxmemory-policy volatile-lfu, so that Redis evicts only "
                    + "items and never the data that gateways store there.");
        }
    }

    private static void CheckCoverage(StoreContext context, RedisNode node, string[] reply)
    {
        if (reply is [_, "yes"] && node.Hello is { IsCluster: true })
        {
            context.Notify(
                true,
                $"Redis at {node.EndPoint} has cluster-require-full-coverage yes. Set it to no; otherwise one lost master stops the calls to all masters.");
        }
    }

    private static void CheckReads(StoreContext context, RedisNode node, string[] reply)
    {
        if (reply is [_, "yes"] && node.Hello is { IsCluster: true })
        {
            context.Notify(
                true,
                $"Redis at {node.EndPoint} has cluster-allow-reads-when-down yes. Set it to no; otherwise an isolated master serves stale reads after a "
                    + "failover.");
        }
    }

    // A query whose reply is a single text, or an array or map of texts.
    private sealed class Question : RedisCommand
    {
        private readonly RedisNode _node;
        private readonly Action<string[]> _onAnswer;

        public Question(StoreContext context, RedisNode node, Action<string[]> onAnswer, params string[] words)
        {
            _node = node;
            _onAnswer = onAnswer;
            Begin(words.Length);
            foreach (string word in words)
            {
                Add(Encoding.ASCII.GetBytes(word));
            }

            Deadline = context.Now + context.Timestamps(context.Options.ConnectTimeout + context.Options.SilenceLimit);
            Pinned = node;
            IsOnce = true;
        }

        protected internal override void OnReply(ref RespReader reply)
        {
            List<string> texts = [];
            int left = reply.Count;
            if (left == 0)
            {
                texts.Add(Encoding.UTF8.GetString(reply.Bytes));
            }

            for (; left > 0 && reply.Read(); left--)
            {
                texts.Add(Encoding.UTF8.GetString(reply.Bytes));
                reply.Skip();
            }

            _onAnswer([.. texts]);
        }

        protected internal override void OnFailure(RedisFailure failure)
        {
            // Managed services reject CONFIG, so errors are ignored. The loss of a node is reported elsewhere.
            _node.AreSettingsChecked |= failure.Kind is RedisFailureKind.Other or RedisFailureKind.Refused;
        }
    }
}
