using System.Text.Json;
using Larder.Client.Calls;
using Larder.Client.Operations;
using Larder.Client.Tests.Support;
using Larder.Wire;

namespace Larder.Client.Tests;

/// <summary>Runs the cases of <c>protocol/vectors/clients/retry.json</c>, which all clients share, and tests behaviour specific to this client.</summary>
public sealed class RetryPolicyTests
{
    private static readonly ClientVectors s_cases = new("retry.json");
    private static readonly TimeSpan s_ample = TimeSpan.FromMinutes(1);

    public static TheoryData<string> Names => [.. s_cases.Names];

    [Theory]
    [MemberData(nameof(Names))]
    public void Retry_policy_matches_shared_test_vectors(string name)
    {
        JsonElement given = s_cases[name];
        JsonElement settings = given.TryGetProperty("settings", out JsonElement some) ? some : default;
        RetryPolicy policy = RetryPolicy.From(new Configuration
        {
            MaxRetries = (int)Number(settings, "maxRetries", 3),
            InitialBackOff = TimeSpan.FromMilliseconds(Number(settings, "initialBackOffMs", 80)),
            MaxBackOff = TimeSpan.FromMilliseconds(Number(settings, "maxBackOffMs", 1_000)),
        });
        RetryBudget budget = new(Number(settings, "retryBudget", 0.1), (int)Number(settings, "cap", 100));
        foreach (JsonElement step in given.GetProperty("steps").EnumerateArray())
        {
            for (double calls = Number(step, "calls", 0); calls > 0; calls--)
            {
                budget.Deposit();
            }

            JsonElement then = step.GetProperty("then").GetProperty("waitMs");
            double? wait = then.ValueKind == JsonValueKind.Null ? null : then.GetDouble();
            for (double times = Number(step, "times", 1); times > 0; times--)
            {
                RetryDecision decision = Decide(policy, budget, step.GetProperty("failed"));
                Assert.Equal(wait, decision.Retries ? decision.Wait.TotalMilliseconds : null);
            }
        }
    }

    [Fact]
    public void Idempotent_operations_match_the_specification()
    {
        OperationInfo[] idempotent =
        [
            GetOperation.Info,
            GetBatchOperation.Info,
            GetWithHashOperation.Info,
            SetOperation.Info,
            SetBatchOperation.Info,
            DeleteOperation.Info,
            KeyExistsOperation.Info,
            KeysExistOperation.Info,
            ItemGetTtlOperation.Info,
            ItemGetTypeOperation.Info,
            PingOperation.Info,
            ListCachesOperation.Info,
            DictionaryGetOperation.Info,
            DictionaryFetchOperation.Info,
            DictionarySetOperation.Info,
            DictionaryDeleteOperation.Info,
            DictionaryRemoveOperation.Info,
            DictionaryLengthOperation.Info,
            SetFetchOperation.Info,
            SetSampleOperation.Info,
            SetUnionOperation.Info,
            SetDifferenceOperation.Info,
            SetContainsOperation.Info,
            SetLengthOperation.Info,
            ListFetchOperation.Info,
            ListRemoveOperation.Info,
            ListLengthOperation.Info,
            SortedSetPutOperation.Info,
            SortedSetFetchByRankOperation.Info,
            SortedSetFetchByScoreOperation.Info,
            SortedSetGetScoreOperation.Info,
            SortedSetGetRankOperation.Info,
            SortedSetRemoveOperation.Info,
            SortedSetLengthOperation.Info,
            SortedSetLengthByScoreOperation.Info,
        ];
        OperationInfo[] others =
        [
            IncrementOperation.Info,
            SetIfOperation.Info,
            SetIfHashOperation.Info,
            UpdateTtlOperation.Info,
            CreateCacheOperation.Info,
            DeleteCacheOperation.Info,
            FlushCacheOperation.Info,
            PublishOperation.Info,
            DictionaryIncrementOperation.Info,
            SetDifferenceFromOperation.Info,
            SetPopOperation.Info,
            ListPushFrontOperation.Info,
            ListPushBackOperation.Info,
            ListConcatenateFrontOperation.Info,
            ListConcatenateBackOperation.Info,
            ListPopFrontOperation.Info,
            ListPopBackOperation.Info,
            ListRetainOperation.Info,
            ListEraseOperation.Info,
            SortedSetIncrementOperation.Info,
            SortedSetUnionStoreOperation.Info,
        ];
        Assert.All(idempotent, info => Assert.True(info.IsIdempotent, info.Name));
        Assert.All(others, info => Assert.False(info.IsIdempotent, info.Name));
    }

    [Fact]
    public void Attempts_without_a_connection_do_not_use_retry_budget()
    {
        RetryBudget budget = new(0.1, cap: 1);
        long before = budget.Available;
        Assert.True(Policy.Decide(IncrementOperation.Info, Failure.NotConnected("", null, failFast: false), 40, 0, s_ample, budget, 0).Retries);
        Assert.Equal(before, budget.Available);
    }

    [Fact]
    public void Call_that_fails_fast_without_a_connection_is_not_retried() =>
        Assert.False(Policy.Decide(GetOperation.Info, Failure.NotConnected("", null, failFast: true), 1, 1, s_ample, new(0.1, cap: 1), 0.5).Retries);

    [Fact]
    public void Back_off_stays_at_its_maximum_after_many_attempts() => Assert.Equal(1_000, Policy.BackOff(int.MaxValue, 1).TotalMilliseconds);

    [Fact]
    public void N6_outage_causes_at_most_one_retry_per_ten_calls()
    {
        const int calls = 100_000;
        RetryBudget budget = new(0.1, cap: 100);
        int retries = 0;
        for (int call = 0; call < calls; call++)
        {
            budget.Deposit();
            for (
                int attempt = 1;
                Policy.Decide(GetOperation.Info, new Failure(StatusCode.Unavailable, ""), attempt, attempt, s_ample, budget, 0.5).Retries;
                attempt++)
            {
                retries++;
            }
        }

        // A client with this in-flight limit starts with a budget of 200 retries.
        Assert.InRange(retries, calls / 10, (calls / 10) + 200);
    }

    private static RetryPolicy Policy => RetryPolicy.From(new Configuration());

    private static RetryDecision Decide(RetryPolicy policy, RetryBudget budget, JsonElement failed)
    {
        OperationInfo operation = Flag(failed, "idempotent", true) ? GetOperation.Info : IncrementOperation.Info;
        Failure failure = new((StatusCode)Number(failed, "status", 0), "") { NotProcessed = Flag(failed, "notExecuted", false) };
        int sends = (int)Number(failed, "sends", 1);
        return policy.Decide(
            operation,
            failure,
            sends,
            sends,
            TimeSpan.FromMilliseconds(Number(failed, "remainingMs", 5_000)),
            budget,
            Number(failed, "random", 1));
    }

    private static double Number(JsonElement of, string name, double otherwise) =>
        of.ValueKind == JsonValueKind.Object && of.TryGetProperty(name, out JsonElement number) ? number.GetDouble() : otherwise;

    private static bool Flag(JsonElement of, string name, bool otherwise) => of.TryGetProperty(name, out JsonElement flag) ? flag.GetBoolean() : otherwise;
}
