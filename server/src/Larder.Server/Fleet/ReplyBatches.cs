namespace Larder.Server.Fleet;

/// <summary>The objects that are notified at the end of the current batch of replies, on the thread that processes the replies.</summary>
internal static class ReplyBatches
{
    [ThreadStatic]
    private static List<IReplyBatch>? _present;

    /// <summary>Registers an object that is notified at the end of this thread's batch. The same object must not be registered twice.</summary>
    public static void Add(IReplyBatch batch) => (_present ??= []).Add(batch);

    /// <summary>Ends the batch and notifies all registered objects.</summary>
    public static void End()
    {
        if (_present is not { Count: > 0 } present)
        {
            return;
        }

        // A notified object may send output, which may add objects to the list.
        for (int index = 0; index < present.Count; index++)
        {
            present[index].OnBatchEnd();
        }

        present.Clear();
    }
}
