using Larder.Store.Bench;

namespace Larder.Store.Tests.Collections;

/// <summary>Checks that random operations on collections of all types give the same results as on plain .NET collections.</summary>
public sealed class CollectionModelTests
{
    private const long Ample = 1L << 30;
    private const long Short = 8L << 20;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Single_threaded_random_operations_match_model(int seed) =>
        Assert.Equal(60_000, new CollectionModel(threads: 1, keysPerThread: 60, Ample, evicts: false, seed).Run(60_000).Done);

    [Fact]
    public void Concurrent_random_operations_match_models() =>
        Assert.Equal(200_000, new CollectionModel(threads: 4, keysPerThread: 60, Ample, evicts: false, seed: 4).Run(200_000).Done);

    [Fact]
    public void Concurrent_random_operations_match_models_despite_evictions()
    {
        (long done, long evicted) = new CollectionModel(threads: 4, keysPerThread: 2_000, Short, evicts: true, seed: 5).Run(200_000);
        Assert.Equal(200_000, done);
        Assert.True(evicted > 100, $"{evicted} evicted");
    }

    [LongTheory]
    [InlineData(false)]
    [InlineData(true)]
    public void Five_million_concurrent_operations_match_models(bool evicts)
    {
        CollectionModel model = new(threads: 4, keysPerThread: evicts ? 300 : 100, evicts ? Short : Ample, evicts, seed: 6);
        Assert.Equal(5_000_000, model.Run(5_000_000).Done);
    }
}
