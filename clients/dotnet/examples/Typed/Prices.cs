using System.Text.Json.Serialization;
using Larder.Client;
using Larder.Client.Codecs;

namespace Larder.Examples.Typed;

/// <summary>A price, as the shop's database has it.</summary>
public sealed record Price(string Article, decimal Euros);

/// <summary>How it is written as JSON, without reflection.</summary>
[JsonSerializable(typeof(Price))]
public sealed partial class PriceJson : JsonSerializerContext;

/// <summary>Prices from the cache, or from a slow database; also that an article has none.</summary>
public sealed class Prices(Cache cache, Func<string, CancellationToken, ValueTask<Price?>> database)
{
    private static readonly GetOrCreateOptions s_kept = new()
    {
        Ttl = TimeSpan.FromHours(1),
        RefreshAheadFor = TimeSpan.FromMinutes(5),
        FailSafeFor = TimeSpan.FromHours(8),
    };

    private readonly TypedCache<Price> _cache = cache.Typed(
        new JsonCodec<Price>(PriceJson.Default.Price),
        new TypedCacheOptions { CompressAbove = 4_096 });

    /// <summary>The price; null: the article has none, which is known for half a minute.</summary>
    public async Task<Price?> OfAsync(string article, CancellationToken cancellationToken = default)
    {
        TypedGetOrCreateResponse<Price> answer = await _cache.GetOrCreateAsync(
            $"price:{article}",
            cancelled => database(article, cancelled),
            s_kept,
            ttlOf: static price => price is null ? TimeSpan.FromSeconds(30) : null,
            cancellationToken);
        return answer.Value;
    }
}
