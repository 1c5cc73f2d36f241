namespace Larder.Store.Tests;

/// <summary>The operating system's memory, with counts of what is mapped. A test can make it refuse memory.</summary>
internal sealed unsafe class RefusablePages : PageSource
{
    /// <summary>Whether mappings are refused.</summary>
    public bool Refuses { get; set; }

    /// <summary>Smaller mappings succeed even if others are refused.</summary>
    public long RefusedFromBytes { get; set; }

    /// <summary>Whether unmapping fails, as it does when the limit of mappings is reached.</summary>
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
