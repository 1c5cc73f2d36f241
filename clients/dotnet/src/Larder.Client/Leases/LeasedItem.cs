namespace Larder.Client.Leases;

/// <summary>Identifies the item whose lease a load uses. Loads of the same item wait for each other, even if they do not share their results.</summary>
/// <param name="Client">The client.</param>
/// <param name="Cache">The cache's name.</param>
/// <param name="Key">The item's key.</param>
internal sealed record LeasedItem(CacheClient Client, string Cache, CacheBytes Key);
