using Larder.Store.Bench;

namespace Larder.Store.Tests;

public sealed class PartitionedModelTests
{
    [Fact]
    public void Concurrent_random_operations_match_models() =>
        Assert.Equal(400_000, new PartitionedModel(threads: 4, keysPerThread: 2_000).Run(TimeSpan.FromMinutes(10), operations: 400_000));
}
