using Larder.Agent;

namespace Larder.Lab.Tests.Near;

/// <summary>The checks that a near run makes while it runs. The same cases are in clients/node/agent and clients/python/tests.</summary>
public sealed class NearCheckTests
{
    private const int Key = 3;

    private readonly NearCheck _check = new(keys: 10, deleteEvery: 16);

    [Fact]
    public void A_read_that_gives_less_than_an_earlier_one_that_had_finished_is_a_violation()
    {
        _check.Found(Key, _check.Floor(Key), 5);
        _check.Found(Key, _check.Floor(Key), 4);

        Assert.Equal(1, _check.Violations);
        Assert.Equal(["key 3: a read returned version 4 after version 5 was stored"], _check.FirstTold);
    }

    [Fact]
    public void A_read_that_gives_less_than_this_clients_own_write_is_a_violation()
    {
        _check.Finished(Key, 7);
        _check.Found(Key, _check.Floor(Key), 6);

        Assert.Equal(1, _check.Violations);
    }

    [Fact]
    public void Two_reads_that_overlap_may_give_either_order_but_not_one_that_begins_later()
    {
        (int first, int second) = (_check.Floor(Key), _check.Floor(Key));
        _check.Found(Key, first, 5);
        _check.Found(Key, second, 4);
        Assert.Equal(0, _check.Violations);

        _check.Found(Key, _check.Floor(Key), 4);
        Assert.Equal(1, _check.Violations);
    }

    [Fact]
    public void A_miss_stands_for_the_oldest_delete_that_explains_it()
    {
        Assert.Equal(0, _check.Missed(Key, _check.Floor(Key), null));
        _check.Finished(Key, 3);
        Assert.Equal(16, _check.Missed(Key, _check.Floor(Key), null));
        Assert.Equal(16, _check.Missed(Key, _check.Floor(Key), null));
        Assert.Equal(0, _check.Violations);

        // The key was missing, so that version 16 (a delete) had been applied; version 4 is older.
        _check.Found(Key, _check.Floor(Key), 4);
        Assert.Equal(1, _check.Violations);
    }

    [Fact]
    public void A_miss_of_a_key_that_this_process_writes_is_a_violation_where_it_has_made_no_such_delete()
    {
        _check.Finished(Key, 15);
        Assert.Equal(16, _check.Missed(Key, _check.Floor(Key), issued: 16));
        Assert.Equal(0, _check.Violations);

        _check.Finished(Key, 17);
        _check.Missed(Key, _check.Floor(Key), issued: 31);
        Assert.Equal(1, _check.Violations);
    }

    [Fact]
    public void Without_deletes_a_miss_of_what_was_there_is_a_violation()
    {
        NearCheck check = new(keys: 10, deleteEvery: 0);
        Assert.Equal(0, check.Missed(Key, 0, null));
        Assert.Equal(-1, check.Missed(Key, 1, null));
        Assert.Equal(1, check.Violations);
    }

    [Fact]
    public void Where_what_was_stored_may_be_gone_misses_say_nothing_but_hits_do()
    {
        _check.Finished(Key, 5);
        _check.Lose();

        Assert.Equal(-1, _check.Missed(Key, _check.Floor(Key), issued: 5));
        Assert.Equal(0, _check.Violations);
        _check.Found(Key, _check.Floor(Key), 4);
        Assert.Equal(1, _check.Violations);
    }

    [Fact]
    public void All_violations_are_counted_and_the_first_five_told()
    {
        _check.Finished(Key, 9);
        for (int i = 0; i < 7; i++)
        {
            _check.Found(Key, _check.Floor(Key), 1);
        }

        Assert.Equal(7, _check.Violations);
        Assert.Equal(5, _check.FirstTold.Count);
    }
}
