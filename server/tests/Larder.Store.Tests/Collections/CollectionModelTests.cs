using Larder.Store.Bench;

namespace Larder.Store.Tests.Collections;

/// <summary>Random operations on collections of all types, compared with plain .NET collections.</summary>
public sealed class CollectionModelTests
{
    private const long Ample = 1L << 30;
    private const long Short = 8L << 20;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void A_seeded_run_on_one_thread_answers_as_the_model_does(int seed) =>
        Assert.Equal(60_000, new CollectionModel(threads: 1, keysPerThread: 60, Ample, evicts: false, seed).Run(60_000).Done);

    [Fact]
    public void Four_threads_answer_as_their_models_do() =>
        Assert.Equal(200_000, new CollectionModel(threads: 4, keysPerThread: 60, Ample, evicts: false, seed: 4).Run(200_000).Done);

    [Fact]
    public void Four_threads_whose_keys_are_evicted_answer_as_their_models_do_or_as_if_the_key_were_gone()
    {
        (long done, long evicted) = new CollectionModel(threads: 4, keysPerThread: 2_000, Short, evicts: true, seed: 5).Run(200_000);
        Assert.Equal(200_000, done);
        Assert.True(evicted > 100, $"{evicted} evicted");
    }

    [LongTheory]
    [InlineData(false)]
    [InlineData(true)]
    public void Five_million_operations_on_four_threads_answer_as_their_models_do(bool evicts)
    {
        CollectionModel model = new(threads: 4, keysPerThread: evicts ? 300 : 100, evicts ? Short : Ample, evicts, seed: 6);
        Assert.Equal(5_000_000, model.Run(5_000_000).Done);
    }
}
