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
    public void Account_charges_bytes_beyond_free_allowance_to_budget_in_steps(int bytes, long taken)
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
    public void Account_holds_at_most_half_of_budget(int over, bool isHeld)
    {
        BufferAccount account = new(_budget);
        Assert.Equal(isHeld, account.TryHold((int)account.MaxBytes + over));
        Assert.Equal(isHeld ? 0 : 1, _budget.Refusals);
        Assert.Equal(isHeld ? account.MaxBytes : 0, account.HeldBytes);
    }

    [Fact]
    public void Account_keeps_free_bytes_when_budget_is_exhausted()
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
    public void One_user_holds_at_most_three_quarters_of_budget(int steps, int held)
    {
        BufferShare share = new();
        Assert.Equal(held, HoldSteps(share, steps));
        Assert.Equal((held * Step, held * Step), (share.TakenBytes, _budget.UsedBytes));
    }

    [Fact]
    public void Second_user_gets_remaining_quarter_of_budget()
    {
        HoldSteps(new BufferShare(), 20);
        Assert.Equal(3, HoldSteps(new BufferShare(), 20));
        Assert.Equal(1, HoldSteps(new BufferShare(), 20));
    }

    [Fact]
    public void Share_counts_bytes_that_its_connections_hold()
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
    public void Refused_TryTake_leaves_share_and_budget_unchanged()
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
    public void Unauthenticated_connections_are_limited_to_their_part_of_budget(int over, bool isHeld)
    {
        BufferBudget part = new(4 * Step, _budget);
        BufferAccount first = new(_budget, part);
        BufferAccount second = new(_budget, part);
        Assert.True(first.TryHold((int)first.MaxBytes));
        Assert.Equal(isHeld, second.TryHold((int)second.MaxBytes + over));
        Assert.Equal(isHeld ? 0 : 1, part.Refusals);
        Assert.InRange(_budget.UsedBytes, 0, 4 * Step);
        Assert.Equal(0, _budget.Refusals);
    }

    [Fact]
    public void Unauthenticated_connection_keeps_free_bytes_when_its_part_is_full()
    {
        BufferBudget part = new(Step, _budget);
        Assert.True(part.TryTake(Step));
        BufferAccount account = new(_budget, part);
        Assert.True(account.TryHold(BufferAccount.UnauthenticatedFreeBytes));
        Assert.False(account.TryHold(1));
        Assert.Throws<RpcException>(() => account.Hold(10 * BufferAccount.UnauthenticatedFreeBytes));
    }

    [Fact]
    public void Authenticate_releases_held_bytes_from_unauthenticated_part_of_budget()
    {
        BufferBudget part = new(4 * Step, _budget);
        BufferAccount account = new(_budget, part);
        Assert.True(account.TryHold(BufferAccount.UnauthenticatedFreeBytes + Step));
        Assert.Equal((Step, Step), (part.UsedBytes, _budget.UsedBytes));
        account.Authenticate();
        account.Authenticate();
        // After authentication, the account has more free bytes, so it takes less from the budget: 32 of 96 KB.
        Assert.Equal((0, Step), (part.UsedBytes, _budget.UsedBytes));
        Assert.True(account.TryHold(8 * Step));
        account.Release((int)account.HeldBytes);
        Assert.Equal((0, 0L, 0), (part.UsedBytes, account.TakenBytes, _budget.UsedBytes));
    }

    [Fact]
    public void Buffer_charges_account_for_its_array_until_reset()
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
    public void Buffer_that_cannot_grow_keeps_its_contents()
    {
        BufferAccount account = new(_budget);
        using PooledBuffer buffer = new(512, account);
        buffer.GetSpan(4)[0] = 9;
        buffer.Advance(4);
        Assert.Throws<RpcException>(() => { buffer.GetSpan((int)account.MaxBytes); });
        Assert.Equal((4, 9, 0L), (buffer.Written, buffer.WrittenSpan[0], account.HeldBytes));
    }

    [Fact]
    public void Abandoned_buffer_does_not_charge_its_account()
    {
        BufferAccount account = new(_budget);
        PooledBuffer buffer = new(512, account);
        buffer.GetSpan(200_000);
        buffer.Abandon();
        buffer.GetSpan(200_000);
        Assert.Equal(0, account.HeldBytes);
    }

    // Opens accounts of one share. Each account tries to use its free bytes and one step more. Returns the number of accounts that succeeded.
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
