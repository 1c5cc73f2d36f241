namespace Larder.Store.Bench;

/// <summary>The failures of a stress run. All failures are counted. The first few are printed. Thread-safe.</summary>
internal sealed class StressFailures
{
    private const int MaxTold = 20;
    private int _count;

    public int Count => Volatile.Read(ref _count);

    /// <summary>Text that is printed with each failure.</summary>
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
