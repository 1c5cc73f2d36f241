namespace Larder.Server.Fleet;

/// <summary>Who has to be told at the end of the present batch of replies: each once, on the thread that hands the replies out.</summary>
internal static class ReplyBatches
{
    [ThreadStatic]
    private static List<IReplyBatch>? _present;

    /// <summary>Has it told at the end of this thread's batch. The caller adds itself once.</summary>
    public static void Add(IReplyBatch batch) => (_present ??= []).Add(batch);

    /// <summary>The batch is over.</summary>
    public static void End()
    {
        if (_present is not { Count: > 0 } present)
        {
            return;
        }

        // What is told may begin another batch by what it sends.
        for (int index = 0; index < present.Count; index++)
        {
            present[index].OnBatchEnd();
        }

        present.Clear();
    }
}
