using Larder.Harness.Clocks;
using Larder.Wire.Http2;

namespace Larder.Wire.Tests.Http2;

public sealed class CompletionBatchTests
{
    [Theory]
    [InlineData(31, 0, -1)]
    [InlineData(32, 0, 16)]
    [InlineData(100, 12, 50)]
    [InlineData(100, 13, -1)]
    public void Batch_is_split_only_when_large_with_few_active_calls(int count, int underWay, int expected) =>
        Assert.Equal(expected, CompletionBatch.SplitOf(count, underWay));

    [Fact]
    public void Deferred_work_runs_at_half_and_end_of_the_batch()
    {
        using CompletionBatches batches = new(new ManualTime());
        List<string> order = [];
        CompletionBatch batch = batches.Rent();
        Work writer = new(() => order.Add("write"));
        for (int caller = 0; caller < 32; caller++)
        {
            int number = caller;
            batch.Add(new Work(() =>
            {
                order.Add($"{number}");
                // The first caller of the batch, and the first caller after a write, defers the next write. This is the same on a connection.
                if (number is 0 or 17)
                {
                    Assert.True(CompletionBatch.TryDefer(writer));
                }
            }));
        }

        batch.Split(underWay: 0);
        batch.RunHere();
        Assert.Equal(
            [.. Enumerable.Range(0, 17).Select(number => $"{number}"), "write", .. Enumerable.Range(17, 15).Select(number => $"{number}"), "write"],
            order);
    }

    private sealed class Work(Action action) : IThreadPoolWorkItem
    {
        public void Execute() => action();
    }
}
