namespace Larder.Wire.Tests.Buffers;

public sealed class BufferBudgetTests
{
    [Theory]
    [InlineData(99, true)]
    [InlineData(100, true)]
    [InlineData(101, false)]
    [InlineData(1_000, false)]
    public void TryTake_succeeds_only_within_limit(long bytes, bool isTaken)
    {
        BufferBudget budget = new(100);
        Assert.Equal(isTaken, budget.TryTake(bytes));
        Assert.Equal(isTaken ? bytes : 0, budget.UsedBytes);
    }

    [Fact]
    public void Give_returns_bytes_to_the_budget()
    {
        BufferBudget budget = new(100);
        Assert.True(budget.TryTake(60));
        Assert.False(budget.TryTake(41));
        budget.Give(1);
        Assert.True(budget.TryTake(41));
        Assert.Equal(100, budget.UsedBytes);
    }

    [Theory]
    [InlineData(10, 0, true)]
    [InlineData(11, 0, false)]
    [InlineData(110, 0, false)]
    [InlineData(10, 90, true)]
    [InlineData(10, 91, false)]
    public void TryTake_respects_limits_of_budget_part_and_whole_budget(long bytes, long takenOfWhole, bool isTaken)
    {
        BufferBudget whole = new(100);
        BufferBudget part = new(10, whole);
        Assert.True(whole.TryTake(takenOfWhole));
        Assert.Equal(isTaken, part.TryTake(bytes));
        Assert.Equal((isTaken ? bytes : 0, takenOfWhole + (isTaken ? bytes : 0)), (part.UsedBytes, whole.UsedBytes));
    }

    [Fact]
    public void Give_to_budget_part_also_returns_bytes_to_whole_budget()
    {
        BufferBudget whole = new(100);
        BufferBudget part = new(10, whole);
        part.TryTake(10);
        part.Give(4);
        Assert.Equal((6, 6), (part.UsedBytes, whole.UsedBytes));
    }

    [Theory]
    [InlineData(50, false)]
    [InlineData(51, true)]
    public void IsTight_is_true_above_half_of_limit(long bytes, bool isTight)
    {
        BufferBudget budget = new(100);
        budget.TryTake(bytes);
        Assert.Equal(isTight, budget.IsTight);
    }

    [Fact]
    public void Concurrent_TryTake_never_exceeds_limit()
    {
        BufferBudget budget = new(1_000);
        int over = 0;
        Parallel.For(0, 100_000, _ =>
        {
            if (budget.TryTake(7))
            {
                Interlocked.Add(ref over, budget.UsedBytes > 1_000 ? 1 : 0);
                budget.Give(7);
            }
        });
        Assert.Equal((0, 0L), (over, budget.UsedBytes));
    }
}
