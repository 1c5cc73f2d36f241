namespace Larder.Store.Tests;

public sealed class EpochModelTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void No_order_of_steps_frees_memory_under_a_reader(int advancers)
    {
        var model = new EpochModel(fence: true, advancers);
        Assert.False(model.ReadsFreedMemory());

        // Checks the number of states: fewer would mean that the model stopped early.
        Assert.InRange(model.States, advancers == 1 ? 400 : 4_000, 100_000);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Without_the_fence_before_the_epoch_is_read_some_order_does(int advancers) =>
        Assert.True(new EpochModel(fence: false, advancers).ReadsFreedMemory());
}
