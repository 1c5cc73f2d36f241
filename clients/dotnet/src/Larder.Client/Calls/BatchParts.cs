namespace Larder.Client;

/// <summary>Splits a batch that is too large for one message (BATCH-9).</summary>
internal static class BatchParts
{
    /// <summary>The maximum message size that a server accepts, in bytes (LIM-4).</summary>
    public const int MaxMessageBytes = 11_010_048;

    /// <summary>
    /// Splits items, in order, into parts of at most <see cref="MaxMessageBytes"/> when encoded. An item that exceeds this size forms a part of its own. If
    /// there are no items, returns one empty part.
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

    /// <summary>Sends all parts one after the other, even if some fail, and merges their responses.</summary>
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

    /// <summary>Returns the error of the first part that failed, or null.</summary>
    public static CacheError? FirstFailure<TResponse>(IEnumerable<TResponse> answers)
        where TResponse : ICacheResult =>
        answers.Select(static answer => answer.Error).FirstOrDefault(static error => error is not null);
}
