namespace Larder.Store.Tests;

public sealed class EpochModelTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Epoch_model_with_fence_never_frees_memory_that_readers_use(int advancers)
    {
        var model = new EpochModel(fence: true, advancers);
        Assert.False(model.ReadsFreedMemory());

        // Checks the number of states. A smaller number would mean that the model stopped too early.
        Assert.InRange(model.States, advancers == 1 ? 400 : 4_000, 100_000);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Epoch_model_without_fence_frees_memory_that_readers_use(int advancers) =>
        Assert.True(new EpochModel(fence: false, advancers).ReadsFreedMemory());
}
