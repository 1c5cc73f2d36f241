namespace Larder.Client;

/// <summary>A batch that is too large for one message is sent in parts (BATCH-9).</summary>
internal static class BatchParts
{
    /// <summary>The largest message that a server reads (LIM-4).</summary>
    public const int MaxMessageBytes = 11_010_048;

    /// <summary>
    /// Cuts items into runs of at most <see cref="MaxMessageBytes"/> as encoded, in order; an item that is larger has a run of its own. No items: one run of
    /// none.
    /// </summary>
    public static List<ArraySegment<T>> Of<T>(T[] items, Func<T, int> measure)
    {
        List<ArraySegment<T>> parts = [];
        int start = 0;
        long bytes = 0;
        for (int i = 0; i < items.Length; i++)
        {
            int length = measure(items[i]);
            if (i > start && bytes + length > MaxMessageBytes)
            {
                parts.Add(new ArraySegment<T>(items, start, i - start));
                start = i;
                bytes = 0;
            }

            bytes += length;
        }

        parts.Add(new ArraySegment<T>(items, start, items.Length - start));
        return parts;
    }

    /// <summary>Sends one part after the other, whatever becomes of each, within one deadline.</summary>
    public static async ValueTask<TResponse> SendAsync<T, TResponse>(
        List<ArraySegment<T>> parts, Func<ArraySegment<T>, ValueTask<TResponse>> send, Func<List<TResponse>, List<ArraySegment<T>>, TResponse> join)
    {
        List<TResponse> answers = [];
        foreach (ArraySegment<T> part in parts)
        {
            answers.Add(await send(part).ConfigureAwait(false));
        }

        return join(answers, parts);
    }

    /// <summary>The first part's error; null where none failed.</summary>
    public static CacheError? FirstFailure<TResponse>(IEnumerable<TResponse> answers) => answers.OfType<ICacheFailure>().FirstOrDefault()?.Failure;
}
