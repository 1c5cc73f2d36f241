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
    public void A_batch_is_split_where_it_is_worth_two_writes_and_few_calls_are_still_under_way(int count, int underWay, int expected) =>
        Assert.Equal(expected, CompletionBatch.SplitOf(count, underWay));

    [Fact]
    public void What_callers_leave_runs_after_the_first_half_and_at_the_end()
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
                // The first caller after a write wakes the writer, as on a connection.
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
