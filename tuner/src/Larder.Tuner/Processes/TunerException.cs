using Larder.Harness;

namespace Larder.Tuner.Processes;

/// <summary>Something that the tuner needs is missing or has failed; its text is for the user, and says what to do.</summary>
internal sealed class TunerException(string message) : HarnessException(message);
