namespace Larder.Store.Tests;

public sealed class ConditionTests
{
    [Theory]
    // The first argument is the condition. The others state whether SetIf stores the value for a missing key, for a key with the value "same", and for a
    // key with the value "other".
    [InlineData(SetConditionKind.Unconditional, true, true, true)]
    [InlineData(SetConditionKind.Present, false, true, true)]
    [InlineData(SetConditionKind.PresentAndNotEqual, false, false, true)]
    [InlineData(SetConditionKind.Absent, true, false, false)]
    [InlineData(SetConditionKind.Equal, false, true, false)]
    [InlineData(SetConditionKind.AbsentOrEqual, true, true, false)]
    [InlineData(SetConditionKind.NotEqual, true, false, true)]
    [InlineData(SetConditionKind.PresentAndNotHashEqual, false, false, true)]
    [InlineData(SetConditionKind.PresentAndHashEqual, false, true, false)]
    [InlineData(SetConditionKind.AbsentOrHashEqual, true, true, false)]
    [InlineData(SetConditionKind.AbsentOrNotHashEqual, true, false, true)]
    public void SetIf_stores_only_when_condition_holds(SetConditionKind kind, bool onMissing, bool onSame, bool onOther)
    {
        using var fixture = new StoreFixture();
        fixture.Set("same", "same");
        fixture.Set("other", "other");
        Check("missing", onMissing, null);
        Check("same", onSame, "same");
        Check("other", onOther, "other");

        void Check(string key, bool stores, string? before)
        {
            Assert.Equal(stores, fixture.SetIf(key, "new", Condition(kind)));
            Assert.Equal(stores ? "new" : before, fixture.Get(key));
        }
    }

    [Fact]
    public void SetIf_treats_expired_entry_as_missing()
    {
        using var fixture = new StoreFixture();
        fixture.Set("k", "same", ttlMs: 10);
        fixture.Clock.AdvanceMs(10);
        Assert.False(fixture.SetIf("k", "new", SetCondition.Present));
        Assert.True(fixture.SetIf("k", "new", SetCondition.Absent));
        Assert.Equal("new", fixture.Get("k"));
    }

    [Fact]
    public void Rejected_SetIf_keeps_value_and_TTL()
    {
        using var fixture = new StoreFixture();
        fixture.Set("k", "v", ttlMs: 100);
        Assert.False(fixture.SetIf("k", "w", SetCondition.Absent, ttlMs: 5000));
        fixture.Clock.AdvanceMs(100);
        Assert.Null(fixture.Get("k"));
    }

    [Fact]
    public async Task Only_one_of_concurrent_SetIf_calls_stores()
    {
        using var fixture = new StoreFixture();
        for (int round = 0; round < 200; round++)
        {
            byte[] key = StoreFixture.Bytes($"k{round}");
            using var start = new Barrier(4);
            bool[] stored = await Task.WhenAll(Enumerable.Range(0, 4).Select(worker => Task.Factory.StartNew(
                () =>
                {
                    start.SignalAndWait();
                    return fixture.Cache.SetIf(key, [(byte)worker], 1000, SetCondition.Absent);
                },
                CancellationToken.None,
                TaskCreationOptions.LongRunning,
                TaskScheduler.Default)));
            Assert.Single(stored, won => won);
        }
    }

    internal static SetCondition Condition(SetConditionKind kind) => kind switch
    {
        SetConditionKind.Unconditional => SetCondition.Unconditional,
        SetConditionKind.Present => SetCondition.Present,
        SetConditionKind.PresentAndNotEqual => SetCondition.PresentAndNotEqual("same"u8),
        SetConditionKind.Absent => SetCondition.Absent,
        SetConditionKind.Equal => SetCondition.Equal("same"u8),
        SetConditionKind.AbsentOrEqual => SetCondition.AbsentOrEqual("same"u8),
        SetConditionKind.NotEqual => SetCondition.NotEqual("same"u8),
        SetConditionKind.PresentAndNotHashEqual => SetCondition.PresentAndNotHashEqual(StoreFixture.Hash("same")),
        SetConditionKind.PresentAndHashEqual => SetCondition.PresentAndHashEqual(StoreFixture.Hash("same")),
        SetConditionKind.AbsentOrHashEqual => SetCondition.AbsentOrHashEqual(StoreFixture.Hash("same")),
        _ => SetCondition.AbsentOrNotHashEqual(StoreFixture.Hash("same")),
    };
}
