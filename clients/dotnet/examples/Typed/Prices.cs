using System.Text.Json.Serialization;
using Larder.Client;
using Larder.Client.Codecs;

namespace Larder.Examples.Typed;

/// <summary>A price from the shop's database.</summary>
public sealed record Price(string Article, decimal Euros);

/// <summary>Serializes a price as JSON, without reflection.</summary>
[JsonSerializable(typeof(Price))]
public sealed partial class PriceJson : JsonSerializerContext;

/// <summary>Gets prices from the cache, or from a slow database. Also caches that an article has no price.</summary>
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

    /// <summary>Returns the price, or null if the article has no price. A null result is cached for 30 seconds.</summary>
    public async Task<Price?> OfAsync(string article, CancellationToken cancellationToken = default)
    {
        GetOrCreateResult<Price?> answer = await _cache.GetOrCreateAsync(
            $"price:{article}",
            cancelled => database(article, cancelled),
            s_kept,
            ttlOf: static price => price is null ? TimeSpan.FromSeconds(30) : null,
            cancellationToken);
        return answer.Value;
    }
}
