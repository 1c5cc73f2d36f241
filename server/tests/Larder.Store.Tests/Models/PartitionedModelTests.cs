using Larder.Store.Bench;

namespace Larder.Store.Tests;

public sealed class PartitionedModelTests
{
    [Fact]
    public void Four_threads_of_random_operations_answer_as_their_models_do() =>
        Assert.Equal(400_000, new PartitionedModel(threads: 4, keysPerThread: 2_000).Run(TimeSpan.FromMinutes(10), operations: 400_000));
}
