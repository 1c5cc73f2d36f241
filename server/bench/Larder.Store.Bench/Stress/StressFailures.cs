namespace Larder.Store.Bench;

/// <summary>What a stress run found broken, safe from any thread: the first few in words, all counted.</summary>
internal sealed class StressFailures
{
    private const int MaxTold = 20;
    private int _count;

    public int Count => Volatile.Read(ref _count);

    /// <summary>What is said with each.</summary>
    public string Context { get; set; } = "";

    public void Add(string what)
    {
        if (Interlocked.Increment(ref _count) <= MaxTold)
        {
            Console.Error.WriteLine($"BROKEN: {what} [{Context}]");
        }
    }

    public void Check(bool holds, string what)
    {
        if (!holds)
        {
            Add(what);
        }
    }
}
