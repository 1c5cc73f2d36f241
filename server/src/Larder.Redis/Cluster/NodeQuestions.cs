using System.Text;

namespace Larder.Redis;

/// <summary>What a master is asked besides the map: its settings once, and how far its replicas are.</summary>
internal static class NodeQuestions
{
    /// <summary>Asks; what may not be asked stays unknown.</summary>
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
        // Checked where it was answered; asked again where the answer was lost.
        node.AreSettingsChecked = true;
        if (reply is [_, var policy] && !policy.StartsWith("volatile-", StringComparison.Ordinal))
        {
            context.Notify(
                true,
                $"Redis at {node.EndPoint} has maxmemory-policy {policy}: set volatile-lfu (and maxmemory), so that it makes room by items and never by what "
                    + "the fronts keep there.");
        }
    }

    private static void CheckCoverage(StoreContext context, RedisNode node, string[] reply)
    {
        if (reply is [_, "yes"] && node.Hello is { IsCluster: true })
        {
            context.Notify(
                true,
                $"Redis at {node.EndPoint} has cluster-require-full-coverage yes: set no, or one lost master stops the calls to all the others.");
        }
    }

    private static void CheckReads(StoreContext context, RedisNode node, string[] reply)
    {
        if (reply is [_, "yes"] && node.Hello is { IsCluster: true })
        {
            context.Notify(
                true,
                $"Redis at {node.EndPoint} has cluster-allow-reads-when-down yes: set no, or a master that was cut off is read after another has its slots.");
        }
    }

    // The answer is one text, or texts in an array or a map.
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
            // Managed services refuse CONFIG; a node that is lost is told of elsewhere.
            _node.AreSettingsChecked |= failure.Kind is RedisFailureKind.Other or RedisFailureKind.Refused;
        }
    }
}
