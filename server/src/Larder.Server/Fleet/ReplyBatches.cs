namespace Larder.Server.Fleet;

/// <summary>The objects to notify at the end of the current batch of replies, on the thread that dispatches the replies.</summary>
internal static class ReplyBatches
{
    [ThreadStatic]
    private static List<IReplyBatch>? _present;

    /// <summary>Registers an object to be notified at the end of this thread's batch. The caller must not add itself twice.</summary>
    public static void Add(IReplyBatch batch) => (_present ??= []).Add(batch);

    /// <summary>Ends the batch and notifies all registered objects.</summary>
    public static void End()
    {
        if (_present is not { Count: > 0 } present)
        {
            return;
        }

        // A notified object may send something that adds to the list.
        for (int index = 0; index < present.Count; index++)
        {
            present[index].OnBatchEnd();
        }

        present.Clear();
    }
}
