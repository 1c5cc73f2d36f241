namespace Larder.Store.Tests;

/// <summary>The operating system's memory, which a test can refuse, and which counts what is mapped.</summary>
internal sealed unsafe class RefusablePages : PageSource
{
    /// <summary>Mappings are refused.</summary>
    public bool Refuses { get; set; }

    /// <summary>Mappings of fewer bytes are given though others are refused.</summary>
    public long RefusedFromBytes { get; set; }

    /// <summary>Unmapping fails, as it does at the limit of mappings.</summary>
    public bool RefusesUnmapping { get; set; }

    public int Refused { get; private set; }

    public int Mappings { get; private set; }

    public long MappedBytes { get; private set; }

    public override byte* Map(long bytes)
    {
        if (Refuses && bytes >= RefusedFromBytes)
        {
            Refused++;
            return null;
        }

        Mappings++;
        MappedBytes += bytes;
        return base.Map(bytes);
    }

    public override bool Unmap(byte* at, long bytes)
    {
        if (RefusesUnmapping)
        {
            return false;
        }

        Mappings--;
        MappedBytes -= bytes;
        return base.Unmap(at, bytes);
    }
}
