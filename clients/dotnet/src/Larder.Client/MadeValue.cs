using Microsoft.Extensions.Logging;

namespace Larder.Client;

/// <summary>What a factory made, with a lease or without.</summary>
internal static class MadeValue
{
    /// <exception cref="InvalidOperationException">The factory made null.</exception>
    public static async ValueTask<byte[]> MakeAsync(Func<CancellationToken, ValueTask<byte[]>> factory, CancellationToken abandoned) =>
        await factory(abandoned).ConfigureAwait(false) ?? throw new InvalidOperationException("The factory made null, which is no value.");

    /// <summary>The answer to who asked for it.</summary>
    /// <param name="value">The value.</param>
    /// <param name="failure">Why it is not stored; null: it is.</param>
    /// <param name="logger">Told of a failure.</param>
    public static GetOrCreateResponse Answer(byte[] value, CacheError? failure, ILogger logger)
    {
        if (failure is null)
        {
            return new GetOrCreateResponse.Created(value);
        }

        Log.NotCached(logger, failure.Message);
        return new GetOrCreateResponse.Uncached(value, failure);
    }
}
