namespace Larder.Client.Leases;

/// <summary>The factory of a get-or-create. It may use a <see cref="FactoryContext{T}"/>.</summary>
internal sealed class ItemFactory
{
    private readonly Func<StaleItem?, CancellationToken, ValueTask<CreatedItem>> _run;

    private ItemFactory(bool usesStale, Func<StaleItem?, CancellationToken, ValueTask<CreatedItem>> run)
    {
        UsesStale = usesStale;
        _run = run;
    }

    /// <summary>Gets whether the factory receives stale values. If it does not, none needs to be copied for it.</summary>
    public bool UsesStale { get; }

    public static ItemFactory Of(Func<CancellationToken, ValueTask<byte[]>> factory)
    {
        ArgumentNullException.ThrowIfNull(factory);
        return new ItemFactory(usesStale: false, RunAsync);

        async ValueTask<CreatedItem> RunAsync(StaleItem? stale, CancellationToken cancelled)
        {
            byte[] value = NotNull(await factory(cancelled).ConfigureAwait(false));
            return new CreatedItem(value, Ttl: null, Tags: [], DoNotStore: false);
        }
    }

    public static ItemFactory Of(Func<FactoryContext<byte[]>, CancellationToken, ValueTask<byte[]>> factory)
    {
        ArgumentNullException.ThrowIfNull(factory);
        return new ItemFactory(usesStale: true, RunAsync);

        async ValueTask<CreatedItem> RunAsync(StaleItem? stale, CancellationToken cancelled)
        {
            FactoryContext<byte[]> context = new(stale, static bytes => [.. bytes]);
            byte[] value = await factory(context, cancelled).ConfigureAwait(false);
            return context.ToItem(() => NotNull(value));
        }
    }

    /// <summary>Returns a factory of a typed cache.</summary>
    /// <param name="factory">Creates the value.</param>
    /// <param name="decode">Decodes a stale value, which is known to be decodable.</param>
    /// <param name="encode">Encodes a value.</param>
    public static ItemFactory Of<T>(Func<FactoryContext<T>, CancellationToken, ValueTask<T>> factory, Func<byte[], T> decode, Func<T, byte[]> encode)
    {
        return new ItemFactory(usesStale: true, RunAsync);

        async ValueTask<CreatedItem> RunAsync(StaleItem? stale, CancellationToken cancelled)
        {
            FactoryContext<T> context = new(stale, decode);
            T value = await factory(context, cancelled).ConfigureAwait(false);
            return context.ToItem(() => encode(value));
        }
    }

    /// <summary>Runs the factory.</summary>
    /// <param name="stale">The stale value, which no other caller may change, or null.</param>
    /// <param name="cancelled">Cancelled when the value is not needed any more.</param>
    /// <exception cref="InvalidOperationException">The factory returned null.</exception>
    public ValueTask<CreatedItem> RunAsync(StaleItem? stale, CancellationToken cancelled) => _run(stale, cancelled);

    private static byte[] NotNull(byte[]? value) => value ?? throw new InvalidOperationException("The factory returned null; it must return a value.");
}
