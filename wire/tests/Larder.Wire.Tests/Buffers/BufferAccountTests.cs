namespace Larder.Wire.Tests.Buffers;

public sealed class BufferAccountTests
{
    private const int Step = BufferAccount.StepBytes;
    private readonly BufferBudget _budget = new(20 * Step);

    [Theory]
    [InlineData(BufferAccount.FreeBytes, 0)]
    [InlineData(BufferAccount.FreeBytes + 1, Step)]
    [InlineData(BufferAccount.FreeBytes + Step, Step)]
    [InlineData(BufferAccount.FreeBytes + Step + 1, 2 * Step)]
    public void The_first_bytes_are_its_own_and_the_rest_is_taken_in_steps(int bytes, long taken)
    {
        BufferAccount account = new(_budget);
        Assert.True(account.TryHold(bytes));
        Assert.Equal((taken, taken), (account.TakenBytes, _budget.UsedBytes));
        account.Release(bytes);
        Assert.Equal((0, 0L, 0L), (account.HeldBytes, account.TakenBytes, _budget.UsedBytes));
    }

    [Theory]
    [InlineData(0, true)]
    [InlineData(1, false)]
    [InlineData(100 * Step, false)]
    public void One_connection_holds_half_of_what_all_may_and_no_more(int over, bool isHeld)
    {
        BufferAccount account = new(_budget);
        Assert.Equal(isHeld, account.TryHold((int)account.MostBytes + over));
        Assert.Equal(isHeld ? 0 : 1, _budget.Refusals);
        Assert.Equal(isHeld ? account.MostBytes : 0, account.HeldBytes);
    }

    [Fact]
    public void When_others_have_taken_all_a_connection_is_refused_and_keeps_what_is_its_own()
    {
        Assert.True(_budget.TryTake(20 * Step));
        BufferAccount account = new(_budget);
        RpcException refused = Assert.Throws<RpcException>(() => account.Hold(BufferAccount.FreeBytes + 1));
        Assert.Equal((StatusCode.ResourceExhausted, "memory_limit_exceeded"), (refused.Status.Code, refused.FindTrailer("err")));
        Assert.True(account.TryHold(BufferAccount.FreeBytes));
        _budget.Give(Step);
        Assert.True(account.TryHold(Step));
    }

    [Theory]
    [InlineData(15, 15)]
    [InlineData(16, 15)]
    [InlineData(150, 15)]
    public void Connections_of_one_user_hold_three_quarters_together(int steps, int held)
    {
        BufferShare share = new();
        Assert.Equal(held, HoldSteps(share, steps));
        Assert.Equal((held * Step, held * Step), (share.TakenBytes, _budget.UsedBytes));
    }

    [Fact]
    public void Second_user_gets_a_quarter_when_the_first_has_all_it_may()
    {
        HoldSteps(new BufferShare(), 20);
        Assert.Equal(3, HoldSteps(new BufferShare(), 20));
        Assert.Equal(1, HoldSteps(new BufferShare(), 20));
    }

    [Fact]
    public void Share_counts_what_its_connections_hold_now()
    {
        BufferShare first = new(), second = new();
        BufferAccount account = new(_budget);
        Assert.True(account.TryHold(BufferAccount.FreeBytes + (4 * Step)));
        account.Join(first);
        account.Join(first);
        Assert.Equal(4 * Step, first.TakenBytes);
        account.Join(second);
        Assert.Equal((0, 4 * Step), (first.TakenBytes, second.TakenBytes));
        account.Release(2 * Step);
        Assert.Equal(2 * Step, second.TakenBytes);
        account.Release(BufferAccount.FreeBytes + (2 * Step));
        Assert.Equal((0, 0), (second.TakenBytes, _budget.UsedBytes));
    }

    [Fact]
    public void Share_that_is_refused_counts_nothing()
    {
        BufferShare share = new();
        HoldSteps(share, 15);
        Assert.False(share.TryTake(_budget, Step));
        Assert.True(share.TryTake(_budget, 0));
        Assert.Equal((15 * Step, 15 * Step), (share.TakenBytes, _budget.UsedBytes));
    }

    [Theory]
    [InlineData(0, true)]
    [InlineData(1, false)]
    [InlineData(10 * Step, false)]
    public void Unauthenticated_connections_take_only_their_part(int over, bool isHeld)
    {
        BufferBudget part = new(4 * Step, _budget);
        BufferAccount first = new(_budget, part);
        BufferAccount second = new(_budget, part);
        Assert.True(first.TryHold((int)first.MostBytes));
        Assert.Equal(isHeld, second.TryHold((int)second.MostBytes + over));
        Assert.Equal(isHeld ? 0 : 1, part.Refusals);
        Assert.InRange(_budget.UsedBytes, 0, 4 * Step);
        Assert.Equal(0, _budget.Refusals);
    }

    [Fact]
    public void Unauthenticated_connection_keeps_its_own_bytes_when_the_part_is_full()
    {
        BufferBudget part = new(Step, _budget);
        Assert.True(part.TryTake(Step));
        BufferAccount account = new(_budget, part);
        Assert.True(account.TryHold(BufferAccount.UnauthenticatedFreeBytes));
        Assert.False(account.TryHold(1));
        Assert.Throws<RpcException>(() => account.Hold(10 * BufferAccount.UnauthenticatedFreeBytes));
    }

    [Fact]
    public void Authenticate_moves_what_was_taken_to_the_whole_budget()
    {
        BufferBudget part = new(4 * Step, _budget);
        BufferAccount account = new(_budget, part);
        Assert.True(account.TryHold(BufferAccount.UnauthenticatedFreeBytes + Step));
        Assert.Equal((Step, Step), (part.UsedBytes, _budget.UsedBytes));
        account.Authenticate();
        account.Authenticate();
        // After authentication the account has more bytes of its own, so it takes less from the budget: 32 of 96 KB.
        Assert.Equal((0, Step), (part.UsedBytes, _budget.UsedBytes));
        Assert.True(account.TryHold(8 * Step));
        account.Release((int)account.HeldBytes);
        Assert.Equal((0, 0L, 0), (part.UsedBytes, account.TakenBytes, _budget.UsedBytes));
    }

    [Fact]
    public void A_buffer_holds_what_its_array_takes_until_it_is_small_again()
    {
        BufferAccount account = new(_budget);
        using PooledBuffer buffer = new(512, account);
        buffer.GetSpan(1_024);
        Assert.Equal(0, account.HeldBytes);
        buffer.GetSpan(200_000);
        Assert.Equal(4 * Slab.PageBytes, account.HeldBytes);
        buffer.Reset(1_024);
        Assert.Equal(0, account.HeldBytes);
    }

    [Fact]
    public void A_buffer_that_may_not_grow_is_as_it_was()
    {
        BufferAccount account = new(_budget);
        using PooledBuffer buffer = new(512, account);
        buffer.GetSpan(4)[0] = 9;
        buffer.Advance(4);
        Assert.Throws<RpcException>(() => { buffer.GetSpan((int)account.MostBytes); });
        Assert.Equal((4, 9, 0L), (buffer.Written, buffer.WrittenSpan[0], account.HeldBytes));
    }

    [Fact]
    public void An_abandoned_buffer_holds_nothing_more()
    {
        BufferAccount account = new(_budget);
        PooledBuffer buffer = new(512, account);
        buffer.GetSpan(200_000);
        buffer.Abandon();
        buffer.GetSpan(200_000);
        Assert.Equal(0, account.HeldBytes);
    }

    // Tries to exceed the free bytes on many connections of one share. Returns how many steps they could hold in total.
    private int HoldSteps(BufferShare share, int steps)
    {
        int held = 0;
        for (int i = 0; i < steps; i++)
        {
            BufferAccount account = new(_budget);
            account.Join(share);
            held += account.TryHold(BufferAccount.FreeBytes + Step) ? 1 : 0;
        }

        return held;
    }
}
