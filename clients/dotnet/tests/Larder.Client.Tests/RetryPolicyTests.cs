using Larder.Client.Calls;
using Larder.Client.Operations;
using Larder.Wire;

namespace Larder.Client.Tests;

public sealed class RetryPolicyTests
{
    private static readonly RetryPolicy Policy = new(3, TimeSpan.FromMilliseconds(20), TimeSpan.FromSeconds(1));
    private static readonly TimeSpan Ample = TimeSpan.FromMinutes(1);

    [Theory]
    [InlineData(StatusCode.Unavailable, true)]
    [InlineData(StatusCode.Internal, true)]
    [InlineData(StatusCode.Cancelled, true)]
    [InlineData(StatusCode.Unauthenticated, false)]
    [InlineData(StatusCode.ResourceExhausted, false)]
    [InlineData(StatusCode.DeadlineExceeded, false)]
    [InlineData(StatusCode.Unknown, false)]
    [InlineData(StatusCode.DataLoss, false)]
    public void An_idempotent_call_is_retried_by_its_status(StatusCode code, bool retried) =>
        Assert.Equal(retried, Decide(GetOperation.Info, new Failure(code, "")).Retries);

    [Theory]
    [InlineData(StatusCode.Unavailable)]
    [InlineData(StatusCode.Internal)]
    [InlineData(StatusCode.Cancelled)]
    public void Any_other_call_is_retried_only_where_it_provably_never_ran(StatusCode code)
    {
        Assert.False(Decide(IncrementOperation.Info, new Failure(code, "")).Retries);
        Assert.True(Decide(IncrementOperation.Info, new Failure(code, "") { NotProcessed = true }).Retries);
    }

    [Fact]
    public void Which_calls_are_idempotent_is_what_the_spec_says()
    {
        OperationInfo[] idempotent = [GetOperation.Info, GetBatchOperation.Info, GetWithHashOperation.Info, SetOperation.Info, SetBatchOperation.Info, DeleteOperation.Info, KeyExistsOperation.Info, KeysExistOperation.Info, ItemGetTtlOperation.Info, ItemGetTypeOperation.Info, PingOperation.Info, ListCachesOperation.Info];
        OperationInfo[] others = [IncrementOperation.Info, SetIfOperation.Info, SetIfHashOperation.Info, UpdateTtlOperation.Info, CreateCacheOperation.Info, DeleteCacheOperation.Info, FlushCacheOperation.Info];
        Assert.All(idempotent, info => Assert.True(info.IsIdempotent, info.Name));
        Assert.All(others, info => Assert.False(info.IsIdempotent, info.Name));
    }

    [Fact]
    public void Three_retries_are_up_to_four_sends()
    {
        Failure failure = new(StatusCode.Unavailable, "");
        Assert.True(Policy.Decide(GetOperation.Info, failure, 3, 3, Ample, Full(), 0).Retries);
        Assert.False(Policy.Decide(GetOperation.Info, failure, 4, 4, Ample, Full(), 0).Retries);
    }

    [Fact]
    public void Attempts_without_a_connection_are_no_sends_and_cost_no_budget()
    {
        RetryBudget budget = Full();
        long before = budget.Available;
        Assert.True(Policy.Decide(IncrementOperation.Info, Failure.NotConnected("", null, failFast: false), 40, 0, Ample, budget, 0).Retries);
        Assert.Equal(before, budget.Available);
    }

    [Fact]
    public void Once_a_server_has_long_been_gone_a_call_does_not_wait_for_it() =>
        Assert.False(Decide(GetOperation.Info, Failure.NotConnected("", null, failFast: true)).Retries);

    [Fact]
    public void A_retry_that_could_not_start_before_the_deadline_is_not_waited_for()
    {
        Failure failure = new(StatusCode.Unavailable, "");
        Assert.False(Policy.Decide(GetOperation.Info, failure, 1, 1, TimeSpan.FromMilliseconds(10), Full(), 0).Retries);
        Assert.True(Policy.Decide(GetOperation.Info, failure, 1, 1, TimeSpan.FromMilliseconds(11), Full(), 0).Retries);
    }

    [Theory]
    [InlineData(1, 0.0, 10)]
    [InlineData(1, 1.0, 20)]
    [InlineData(2, 1.0, 40)]
    [InlineData(3, 0.0, 40)]
    [InlineData(7, 1.0, 1_000)]
    [InlineData(500, 1.0, 1_000)]
    public void Back_off_doubles_from_the_first_to_the_longest_and_is_jittered_to_its_half(int attempt, double random, double milliseconds) =>
        Assert.Equal(milliseconds, Policy.BackOff(attempt, random).TotalMilliseconds, 3);

    [Fact]
    public void N6_under_a_total_outage_retries_add_at_most_a_tenth_to_the_calls_made()
    {
        const int calls = 100_000;
        RetryBudget budget = new(0.1, reserve: 200);
        int retries = 0;
        for (int call = 0; call < calls; call++)
        {
            budget.Deposit();
            for (int attempt = 1; Policy.Decide(GetOperation.Info, new Failure(StatusCode.Unavailable, ""), attempt, attempt, Ample, budget, 0.5).Retries; attempt++)
            {
                retries++;
            }
        }

        // Ten that every client starts with.
        Assert.InRange(retries, calls / 10, (calls / 10) + 10);
    }

    [Fact]
    public void Health_saves_no_more_retries_than_the_calls_in_flight()
    {
        RetryBudget budget = new(0.1, reserve: 50);
        for (int call = 0; call < 10_000; call++)
        {
            budget.Deposit();
        }

        Assert.Equal(50, budget.Available);
    }

    [Fact]
    public void A_budget_of_none_allows_none()
    {
        RetryBudget budget = new(0, reserve: 50);
        budget.Deposit();
        Assert.False(budget.TryTake());
    }

    private static RetryDecision Decide(OperationInfo operation, in Failure failure) => Policy.Decide(operation, failure, 1, 1, Ample, Full(), 0.5);

    private static RetryBudget Full() => new(0.1, reserve: 100);
}
