using Larder.Agent;

namespace Larder.Lab.Tests.Near;

/// <summary>Tests the checks of a near run while it is in progress. clients/node/agent and clients/python/tests contain the same test cases.</summary>
public sealed class NearCheckTests
{
    private const int Key = 3;

    private readonly NearCheck _check = new(keys: 10, deleteEvery: 16);

    [Fact]
    public void Read_older_than_finished_read_is_a_violation()
    {
        _check.Found(Key, _check.Floor(Key), 5);
        _check.Found(Key, _check.Floor(Key), 4);

        Assert.Equal(1, _check.Violations);
        Assert.Equal(["key 3: a read returned version 4 after version 5 was stored"], _check.FirstTold);
    }

    [Fact]
    public void Read_older_than_own_write_is_a_violation()
    {
        _check.Finished(Key, 7);
        _check.Found(Key, _check.Floor(Key), 6);

        Assert.Equal(1, _check.Violations);
    }

    [Fact]
    public void Overlapping_reads_may_return_versions_in_any_order()
    {
        (int first, int second) = (_check.Floor(Key), _check.Floor(Key));
        _check.Found(Key, first, 5);
        _check.Found(Key, second, 4);
        Assert.Equal(0, _check.Violations);

        _check.Found(Key, _check.Floor(Key), 4);
        Assert.Equal(1, _check.Violations);
    }

    [Fact]
    public void Miss_is_attributed_to_the_oldest_possible_delete()
    {
        Assert.Equal(0, _check.Missed(Key, _check.Floor(Key), null));
        _check.Finished(Key, 3);
        Assert.Equal(16, _check.Missed(Key, _check.Floor(Key), null));
        Assert.Equal(16, _check.Missed(Key, _check.Floor(Key), null));
        Assert.Equal(0, _check.Violations);

        // The key was missing, so version 16 (a delete) had been applied. Version 4 is older.
        _check.Found(Key, _check.Floor(Key), 4);
        Assert.Equal(1, _check.Violations);
    }

    [Fact]
    public void Miss_of_own_key_without_delete_is_a_violation()
    {
        _check.Finished(Key, 15);
        Assert.Equal(16, _check.Missed(Key, _check.Floor(Key), issued: 16));
        Assert.Equal(0, _check.Violations);

        _check.Finished(Key, 17);
        _check.Missed(Key, _check.Floor(Key), issued: 31);
        Assert.Equal(1, _check.Violations);
    }

    [Fact]
    public void Miss_of_existing_key_without_deletes_is_a_violation()
    {
        NearCheck check = new(keys: 10, deleteEvery: 0);
        Assert.Equal(0, check.Missed(Key, 0, null));
        Assert.Equal(-1, check.Missed(Key, 1, null));
        Assert.Equal(1, check.Violations);
    }

    [Fact]
    public void Data_loss_explains_later_misses_but_not_old_hits()
    {
        _check.Finished(Key, 5);
        _check.Lose();

        Assert.Equal(-1, _check.Missed(Key, _check.Floor(Key), issued: 5));
        Assert.Equal(0, _check.Violations);
        _check.Found(Key, _check.Floor(Key), 4);
        Assert.Equal(1, _check.Violations);
    }

    [Fact]
    public void All_violations_are_counted_and_first_five_described()
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
